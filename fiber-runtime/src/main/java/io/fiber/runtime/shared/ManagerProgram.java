// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Request;
import java.io.Serializable;

/** What a manager's process runs: it hosts objects until it is told to end. */
final class ManagerProgram implements RemoteRunnable {
    private static final long serialVersionUID = 1L;

    private final transient ProcessContext process;
    private final ObjectAddress readyAddress;
    private final RemoteRunnable initializer;

    ManagerProgram(ProcessContext process, ObjectAddress readyAddress, RemoteRunnable initializer) {
        this.process = process;
        this.readyAddress = readyAddress;
        this.initializer = initializer;
    }

    /** While this thread waits it does the conductor's work: requests reach the objects without a change of threads. */
    @Override
    public void run() throws Exception {
        initializer.run();
        try (Host host = new Host(process)) {
            ObjectAddress registry = host.host(new ObjectHost(host, new Registry(host)));
            host.serveUntilAnswered(readyAddress, Request.of(ManagerClient.ReadyService.SERVE, registry.object()));
        }
    }

    private Object writeReplace() {
        return new Sent(readyAddress, initializer);
    }

    private record Sent(ObjectAddress readyAddress, RemoteRunnable initializer) implements Serializable {
        private Object readResolve() {
            return new ManagerProgram(ProcessContext.current(), readyAddress, initializer);
        }
    }
}
