// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Pool;
import io.fiber.tck.fault.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Workers and masters that a debugger halts for longer than all their limits: 6 s, where the lease and the limit of a start are
 * a second, the transport's time-outs 4 s, and the deadline of the task a second. Where they apply, they are longer, so that a
 * slow host does not reach them.
 */
@Tag("slow")
class DebuggerTest {

    private static final Duration HALT = Duration.ofSeconds(6);
    private static final String TASK = Program.class.getName() + ".square";

    @TempDir
    Path tmp;

    private static void halt() {
        long beganNs = System.nanoTime();
        await("a halt longer than all limits")
                .atMost(HALT.plusMinutes(1))
                .until(() -> System.nanoTime() - beganNs > HALT.toNanos());
    }

    private MasterJvm master(String... settings) {
        return master(Duration.ofSeconds(1), settings);
    }

    private MasterJvm master(Duration deadline, String... settings) {
        String[] arguments = Stream.concat(Stream.of(deadline.toString()), Stream.of(settings))
                .toArray(String[]::new);
        return new MasterJvm(tmp, Program.class, List.of("-Xmx64m"), arguments);
    }

    private static String address(MasterJvm master) {
        String told = master.awaitLine("INFO: worker ");
        assertThat(told).matches("'p1-pool-1-1' \\(host localhost\\) listens for a debugger at 127\\.0\\.0\\.1:\\d+");
        return told.replaceFirst(".* at ", "");
    }

    private static void assertSquared(MasterJvm master, String lost) {
        assertThat(master.awaitLine("result")).isEqualTo("144");
        assertThat(master.awaitLine("lost")).isEqualTo(lost);
        master.awaitEnd();
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "aeron"})
    void workerAtABreakpointLives(String transport) throws IOException {
        try (MasterJvm master = master("debug=true", "transport=" + transport, "lease=1s", "start-limit=1s")) {
            assertThat(master.awaitLine("WARNING: FBR-128"))
                    .isEqualTo("Debuggers can attach to workers, because the setting debug is on: without a password,"
                            + " every user of a worker's host can run code in that worker. The lease, start-limit and"
                            + " deadlines of tasks do not apply.");
            try (Jdb jdb = Jdb.attach(address(master))) {
                jdb.command("stop in " + TASK, "breakpoint " + TASK);
                call(master);
                jdb.awaitText("Breakpoint hit: \"thread=p1-pool-1-1-task-1\"");
                halt();
                jdb.command("print item", "item = 12");
                jdb.command("cont", ">");
                assertSquared(master, "0");
            }
        }
    }

    @Test
    void suspendedWorkerWaitsForADebuggerBeforeItRunsAnyCode() throws IOException {
        try (MasterJvm master = master("debug=suspend", "lease=1s", "start-limit=1s")) {
            String address = address(master);
            call(master);
            halt();
            try (Jdb jdb = Jdb.attach(address)) {
                jdb.command("stop in " + TASK, "Deferring breakpoint " + TASK);
                jdb.command("cont", "Breakpoint hit: \"thread=p1-pool-1-1-task-1\"");
                jdb.command("cont", ">");
                assertSquared(master, "0");
            }
        }
    }

    /** The JVM listens at another port then. */
    @Test
    void secondDebuggerFindsTheWorkerWhenTheFirstHasLeft() throws IOException {
        try (MasterJvm master = master("debug=true")) {
            String first = address(master);
            try (Jdb jdb = Jdb.attach(first)) {
                jdb.command("print 6 * 7", "6 * 7 = 42");
            }
            String second = address(master);
            assertThat(second).isNotEqualTo(first);
            try (Jdb jdb = Jdb.attach(second)) {
                jdb.command("stop in " + TASK, "breakpoint " + TASK);
                call(master);
                jdb.awaitText("Breakpoint hit");
                jdb.command("cont", ">");
                assertSquared(master, "0");
            }
        }
    }

    /** The halt of the other tests is long enough to fail without the setting. */
    @Test
    void workerAtABreakpointIsLostWithoutTheSetting() throws IOException {
        try (MasterJvm master = master(
                Duration.ofHours(1),
                "worker.jvm-options=-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0",
                "lease=5s")) {
            String port = master.awaitLine("Listening for transport dt_socket at address: ");
            try (Jdb jdb = Jdb.attach(port)) {
                jdb.command("stop in " + TASK, "breakpoint " + TASK);
                call(master);
                assertSquared(master, "1");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"socket", "aeron"})
    void haltedMasterKeepsItsWorkers(String transport) throws IOException {
        try (MasterJvm master = master("debug=true", "transport=" + transport, "lease=1s", "start-limit=1s")) {
            address(master);
            Signal.STOP.send(master.pid());
            halt();
            Signal.CONTINUE.send(master.pid());
            call(master);
            assertSquared(master, "0");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Signal.class,
            names = {"KILL", "TERMINATE"})
    void workerAtABreakpointEndsWithItsProgram(Signal signal) throws IOException {
        try (MasterJvm master = master("debug=true");
                Jdb jdb = Jdb.attach(address(master))) {
            jdb.command("stop in " + TASK, "breakpoint " + TASK);
            call(master);
            jdb.awaitText("Breakpoint hit");
            List<ProcessHandle> family =
                    master.process().toHandle().descendants().toList();
            assertThat(family).isNotEmpty();

            signal.send(master.pid());

            await("processes gone")
                    .atMost(LocalFiber.LIMIT)
                    .until(() -> family.stream().noneMatch(process -> Signal.isRunning(process.pid())));
        }
    }

    /** Has the program run its task. */
    private static void call(MasterJvm master) throws IOException {
        master.process().getOutputStream().write('\n');
        master.process().getOutputStream().flush();
    }

    /** Starts a worker, and runs a task in it when it is told to. */
    static final class Program {

        private Program() {}

        static int square(int item) {
            return item * item;
        }

        public static void main(String[] arguments) throws IOException {
            FiberBuilder builder = Fiber.builder();
            for (String setting : List.of(arguments).subList(1, arguments.length)) {
                int equals = setting.indexOf('=');
                builder.set(setting.substring(0, equals), setting.substring(equals + 1));
            }
            try (Fiber fiber = builder.open();
                    Pool pool = fiber.poolBuilder(1).start()) {
                if (System.in.read() < 0) {
                    throw new IOException("the test has ended");
                }
                int squared = pool.with(CallOptions.defaults().deadline(Duration.parse(arguments[0])))
                        .apply(Program::square, 12);
                System.out.println("result " + squared);
                System.out.println("lost " + pool.statistics().workersLost());
            }
        }
    }
}
