// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.managers;

import io.fiber.FiberException;
import io.fiber.Manager;
import io.fiber.WaitInterruptedException;
import io.fiber.function.RemoteRunnable;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.process.OutputLines;
import io.fiber.runtime.process.ProcessClient;
import io.fiber.runtime.process.ProcessSettings;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.shared.RemoteObject;
import io.fiber.runtime.shared.host.ManagerProgram;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/** Starts the managers of a session. Thread-safe. */
public final class Managers {

    private final BiFunction<RemoteRunnable, ProcessSettings, ProcessClient> processes;
    private final SessionContext context;
    private final RemoteManagerServer managerServer;
    private final AtomicInteger numbers = new AtomicInteger();

    /** Creates what starts managers, in processes that are made and not started. */
    public Managers(
            BiFunction<RemoteRunnable, ProcessSettings, ProcessClient> processes,
            SessionContext context,
            RemoteManagerServer managerServer) {
        this.processes = processes;
        this.context = context;
        this.managerServer = managerServer;
    }

    /** Starts a manager. Waits until its initializer has run. */
    public Manager start(RemoteRunnable initializer, ProcessSettings settings) {
        CompletableFuture<ServiceCall> serving = new CompletableFuture<>();
        ObjectAddress ready = context.process().router().host(serving::complete);
        try {
            return start(initializer, settings, ready, serving);
        } catch (RuntimeException | Error e) {
            context.process().router().withdraw(ready);
            throw e;
        }
    }

    private Manager start(
            RemoteRunnable initializer,
            ProcessSettings settings,
            ObjectAddress ready,
            CompletableFuture<ServiceCall> serving) {
        ProcessClient process = processes.apply(
                new ManagerProgram(context.process(), ready, initializer),
                settings.withDefaultName("manager-" + numbers.incrementAndGet()));
        process.start();
        try {
            SessionThreads.await(
                    CompletableFuture.anyOf(serving, process.onExit()),
                    SessionThreads.FOREVER,
                    "the start of manager '" + process.name() + "'");
        } catch (WaitInterruptedException e) {
            process.kill();
            throw e;
        }
        if (!serving.isDone()) {
            throw ended(process);
        }
        ServiceCall call = serving.join();
        ObjectAddress registry =
                new ObjectAddress(ready.program(), call.caller(), call.request().argument());
        return new ManagerClient(process, ready, call, new RemoteObject(context.process(), registry), managerServer);
    }

    private static FiberException ended(ProcessClient process) {
        FiberException failure = process.failure().orElse(null);
        return failure != null
                ? failure
                : new FiberException(
                        "FBR-437",
                        "Manager '" + process.name() + "' ended before it was ready, with "
                                + (process.exitCode().isPresent()
                                        ? "exit code " + process.exitCode().getAsInt()
                                        : "an unknown exit code")
                                + "." + OutputLines.describe(process.lastLines()));
    }
}
