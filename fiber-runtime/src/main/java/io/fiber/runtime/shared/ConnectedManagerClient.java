// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.ConnectedManager;
import io.fiber.ManagerEndpoint;
import java.time.Duration;

/** A manager of another program, as a program that has connected to it holds it. Thread-safe. */
public final class ConnectedManagerClient extends ObjectsClient implements ConnectedManager {

    private final ManagerEndpoint endpoint;
    private final RemoteManagerConnection connection;

    private ConnectedManagerClient(ManagerEndpoint endpoint, RemoteManagerConnection connection) {
        super(new RemoteObject(connection.process(), connection.object()));
        this.endpoint = endpoint;
        this.connection = connection;
    }

    /** Connects; waits for {@code limit} at most. */
    public static ConnectedManager connect(ManagerEndpoint endpoint, Duration limit) {
        return new ConnectedManagerClient(endpoint, RemoteManagerConnection.begin(endpoint, limit));
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
