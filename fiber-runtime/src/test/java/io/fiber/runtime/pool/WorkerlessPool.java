// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.CallOptions;
import io.fiber.runtime.config.Debugging;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.eventloop.IoThread;
import io.fiber.runtime.journal.Journals;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.platform.Teardown;
import io.fiber.runtime.pool.progress.Displays;
import io.fiber.runtime.pool.scheduling.PoolLimits;
import io.fiber.runtime.process.ProcessMachine;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.process.SubmissionBudget;
import io.fiber.runtime.process.WorkerSupervisor;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.ProviderName;
import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spec.Resources;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.transport.Transport;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;
import org.agrona.concurrent.SystemNanoClock;

/** A pool of no workers on a conductor of its own: its calls are fed as always, and answered by the test. */
final class WorkerlessPool implements AutoCloseable {

    /** A worker that does not start is not tried again in a test. */
    private static final long HOUR_NS = 3_600_000_000_000L;

    private final Teardown teardown = new Teardown();
    final Conductor conductor = new Conductor("test", SystemNanoClock.INSTANCE, Duration.ofSeconds(20));
    final ExecutorService blocking = SessionThreads.blocking("test", conductor::fail);
    final WorkerSupervisor supervisor = supervisor(conductor);
    final SessionContext context = context();
    final PoolDriver driver = new PoolDriver(
            new PoolDriver.Staff("p", "w", needs(), Optional.empty(), Optional.empty(), (worker, failure, then) -> {}),
            new PoolLimits(0, 1, OptionalInt.empty(), 3, HOUR_NS, HOUR_NS, Integer.MAX_VALUE),
            supervisor);
    final PoolClient client = new PoolClient(
            CallOptions.defaults(),
            new CallEngine(
                    "p", driver, context, new CallEngine.Shared(journals(), new Displays(false), Debugging.OFF)));

    Journals journals() {
        return new Journals(context.codecs().values(), "java", () -> {});
    }

    /** Starts its conductor. A worker that the pool wants gets no link, which is a failed start. */
    WorkerlessPool started() {
        supervisor.serveCalls(new WorkerSupervisor.Routes(
                context.process().router(), Seals.none(), new WorkerRole.Services(1_001, 1_002)));
        conductor.addDuty(driver);
        IoThread.start(conductor, teardown);
        return this;
    }

    /** Returns a supervisor whose workers are never started. */
    static WorkerSupervisor supervisor(Conductor conductor) {
        return new WorkerSupervisor(
                new WorkerSupervisor.Terms(
                        "session",
                        "main",
                        new ProviderName("none", "none"),
                        Map.of(),
                        Map.of(),
                        ClassPathSnapshot.NONE,
                        new ProcessMachine.Limits(1, 1, 1, 1),
                        count -> 1),
                conductor,
                unused(Transport.class),
                onThisHost(),
                start -> {});
    }

    static PoolNeeds needs() {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("worker"))).build();
        return new PoolNeeds("p", 1, Resources.unspecified(), (resources, workers) -> spec);
    }

    private static <T> T unused(Class<T> type) {
        return proxy(type, (proxy, method, args) -> {
            throw new AssertionError(method.getName());
        });
    }

    private static Backend onThisHost() {
        return proxy(Backend.class, (proxy, method, args) -> {
            if (method.getName().equals("callerHost")) {
                return CallerHost.sameHost();
            }
            throw new AssertionError(method.getName());
        });
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private SessionContext context() {
        RpcRouter router = new RpcRouter(
                new ProcessAddress("session", ProcessPath.root()), conductor, Seals.none(), Runnable::run);
        ProcessContext process = new ProcessContext(
                router, binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding));
        return new SessionContext(
                conductor,
                process.codecs(),
                Seals.none(),
                blocking,
                Runnable::run,
                new SubmissionBudget(Long.MAX_VALUE),
                process);
    }

    /** Asks the conductor, behind everything that this thread has asked of it before. */
    <T> T ask(Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        if (!conductor.execute(() -> answer.complete(question.get()))) {
            throw new IllegalStateException("The conductor has ended.");
        }
        return answer.join();
    }

    /** Tells whether a call has not ended. */
    boolean hasOpenCalls() {
        return !ask(driver.machine::openCalls).equals("its workers to end; all its calls are done.");
    }

    @Override
    public void close() {
        client.kill();
        teardown.run();
        blocking.shutdownNow();
    }
}
