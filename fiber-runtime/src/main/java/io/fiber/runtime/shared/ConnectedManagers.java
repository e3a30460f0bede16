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
        RemoteManagerConnection visit = RemoteManagerConnection.begin(endpoint, limit);
        return new ConnectedClient(endpoint, visit);
    }

    private static final class ConnectedClient extends ObjectsClient implements ConnectedManager {
        private final ManagerEndpoint endpoint;
        private final RemoteManagerConnection visit;

        ConnectedClient(ManagerEndpoint endpoint, RemoteManagerConnection visit) {
            super(new RemoteObject(visit.here(), visit.object()));
            this.endpoint = endpoint;
            this.visit = visit;
        }

        @Override
        public ManagerEndpoint endpoint() {
            return endpoint;
        }

        @Override
        public void close() {
            visit.close();
        }

        @Override
        public String toString() {
            return "ConnectedManager[" + endpoint.address() + "]";
        }
    }
}
