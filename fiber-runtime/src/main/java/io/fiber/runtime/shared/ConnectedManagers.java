// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ConnectedManager;
import io.fiber.ManagerEndpoint;
import java.time.Duration;

/** Connects this program to managers of others. Thread-safe. */
public final class ConnectedManagers {

    private ConnectedManagers() {}

    /** Connects; waits for {@code limit} at most. */
    public static ConnectedManager connect(ManagerEndpoint endpoint, Duration limit) {
        RemoteManagerConnection connection = RemoteManagerConnection.begin(endpoint, limit);
        return new ConnectedClient(endpoint, connection);
    }

    private static final class ConnectedClient extends ObjectsClient implements ConnectedManager {
        private final ManagerEndpoint endpoint;
        private final RemoteManagerConnection connection;

        ConnectedClient(ManagerEndpoint endpoint, RemoteManagerConnection connection) {
            super(new RemoteObject(connection.process(), connection.object()));
            this.endpoint = endpoint;
            this.connection = connection;
        }

        @Override
        public ManagerEndpoint endpoint() {
            return endpoint;
        }

        @Override
        public void close() {
            connection.close();
        }

        @Override
        public String toString() {
            return "ConnectedManager[" + endpoint.address() + "]";
        }
    }
}
