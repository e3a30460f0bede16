// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.AsyncManager;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.Manager;
import io.fiber.WaitInterruptedException;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.rpc.ObjectAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Starts the managers of a session. Thread-safe. */
public final class Managers {

    private static final int LOG_LINES = 20;

    private final Function<RemoteRunnable, FiberProcess> processes;
    private final SessionContext context;
    private final RemoteManagerServer managerServer;
    private final AtomicInteger numbers = new AtomicInteger();

    /**
     * Creates what starts managers.
     *
     * @param processes makes a process of the session, not started
     * @param managerServer lets other programs in
     */
    public Managers(
            Function<RemoteRunnable, FiberProcess> processes,
            SessionContext context,
            RemoteManagerServer managerServer) {
        this.processes = processes;
        this.context = context;
        this.managerServer = managerServer;
    }

    /** Starts a manager. Waits until its initializer has run. */
    public Manager start(RemoteRunnable initializer) {
        return new ManagerClient(launch(initializer), managerServer);
    }

    /** Starts a manager whose calls answer with futures. Waits until its initializer has run. */
    public AsyncManager startAsync(RemoteRunnable initializer) {
        return new AsyncManagerClient(launch(initializer));
    }

    private ManagerProcess launch(RemoteRunnable initializer) {
        ManagerProcess.ReadyService readyService = new ManagerProcess.ReadyService();
        ObjectAddress readyAddress = context.process().router().host(readyService);
        FiberProcess process = processes
                .apply(new ManagerProgram(context.process(), readyAddress, initializer))
                .named("manager-" + numbers.incrementAndGet())
                .daemon()
                .start();
        CompletableFuture<ObjectAddress> registry = readyService.registry(readyAddress.program());
        try {
            CompletableFuture.anyOf(registry, process.onExit()).get();
        } catch (InterruptedException e) {
            process.kill();
            Thread.currentThread().interrupt();
            throw new WaitInterruptedException("the start of manager '" + process.name() + "'", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
        if (!registry.isDone()) {
            throw ended(process);
        }
        return new ManagerProcess(
                process, readyService, readyAddress, new RemoteObject(context.process(), registry.join()));
    }

    private static FiberException ended(FiberProcess process) {
        FiberException failure = process.failure().orElse(null);
        return failure != null
                ? failure
                : new FiberException(
                        "FBR-437",
                        "Manager '" + process.name() + "' ended before it was ready, with "
                                + (process.exitCode().isPresent()
                                        ? "exit code " + process.exitCode().getAsInt()
                                        : "no exit code that anybody knows")
                                + ". Its last lines: "
                                + String.join(System.lineSeparator(), process.logs(LOG_LINES)));
    }
}
