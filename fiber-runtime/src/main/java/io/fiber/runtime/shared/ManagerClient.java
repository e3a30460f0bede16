// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberProcess;
import io.fiber.Manager;
import io.fiber.ManagerEndpoint;

/** A manager as the program that has started it holds it. Thread-safe. */
final class ManagerClient extends ObjectsClient implements Manager {

    private final ManagerProcess manager;
    private final RemoteManagerServer.Of clients;

    ManagerClient(ManagerProcess manager, RemoteManagerServer clients) {
        super(manager.registry());
        this.manager = manager;
        this.clients = clients.of(manager.registry().address());
    }

    @Override
    public ManagerEndpoint listen() {
        return clients.listen();
    }

    @Override
    public ManagerEndpoint listen(ManagerEndpoint endpoint) {
        return clients.listen(requireNonNull(endpoint, "endpoint"));
    }

    @Override
    public FiberProcess process() {
        return manager.process();
    }

    @Override
    public void close() {
        try {
            clients.close();
        } finally {
            manager.end();
        }
    }

    @Override
    public String toString() {
        return "Manager[" + process().name() + ", " + process().state() + "]";
    }
}
