// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a program that has no catch shows on its terminal. */
@Tag("slow")
class TerminalTest {

    private static final int ENDED_BY_INTERRUPT = 130;

    @TempDir
    Path tmp;

    /** Three workers fail to start; the program ends by what the pool throws. */
    @Test
    void traceOfAnInitializerIsPrintedOnce() {
        try (MasterJvm program = new MasterJvm(tmp, FailingInitializer.class, List.of("-Xmx128m"))) {
            List<String> lines = program.awaitEnd(1);

            assertThat(lines)
                    .filteredOn(line -> line.contains("at " + FailingInitializer.class.getName() + ".fail("))
                    .hasSize(1);
            assertThat(lines)
                    .filteredOn(line ->
                            line.contains("FBR-408 A worker of pool 'sweep' did not start, because its initializer"
                                    + " failed. Fiber starts another one, and does not report the same error again. FBR-401 The initializer"
                                    + " of pool 'sweep' on worker 'p1-sweep-1' (host localhost) threw java.io.IOException: cannot"
                                    + " initialize"))
                    .hasSize(1);
            assertThat(lines)
                    .contains(
                            "Exception in thread \"main\" io.fiber.PoolBrokenException: FBR-403 Pool 'sweep' ended: 3 workers in"
                                    + " a row failed to start; the last one, p1-sweep-3: its initializer failed: java.io.IOException:"
                                    + " cannot initialize.")
                    .contains(
                            "Caused by: io.fiber.RemoteTaskException: FBR-401 The initializer of pool 'sweep' on worker"
                                    + " 'p1-sweep-3' (host localhost) threw java.io.IOException: cannot initialize")
                    .contains("Caused by: java.io.IOException: cannot initialize");
        }
    }

    static final class FailingInitializer {
        private FailingInitializer() {}

        static void fail() throws IOException {
            throw new IOException("cannot initialize");
        }

        public static void main(String[] args) {
            try (Fiber fiber = LocalFiber.open();
                    Pool pool = fiber.poolBuilder(1)
                            .name("sweep")
                            .initializer(FailingInitializer::fail)
                            .build()) {
                pool.map(item -> item, List.of(1, 2));
            }
        }
    }

    /** A terminal sends the signal to the whole process group; a shell that starts programs beside it has them ignore it. */
    @Test
    void interruptEndsAProgramWithOneLine() throws Exception {
        List<String> command = new ArrayList<>(List.of("setsid", "env", "--default-signal=INT"));
        command.addAll(MasterJvm.command(tmp, List.of("-Xmx128m"), Interrupted.class));
        try (MasterJvm program = new MasterJvm(Map.of(), command)) {
            program.awaitLine("ready");
            Process kill = new ProcessBuilder("/bin/sh", "-c", "kill -s INT -- -" + program.pid())
                    .inheritIO()
                    .start();
            assertThat(kill.waitFor()).isZero();

            List<String> lines = program.awaitEnd(ENDED_BY_INTERRUPT);

            assertThat(lines.subList(lines.indexOf("ready") + 1, lines.size()))
                    .containsExactly("This program was ended by a signal or System.exit, which also ended its"
                            + " session: FBR-404 Pool 'pool-1' was terminated before its tasks were done.");
        }
    }

    static final class Interrupted {
        private Interrupted() {}

        private static void awaitEnd(Thread thread) {
            try {
                thread.join(LocalFiber.LIMIT.toMillis());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        public static void main(String[] args) {
            // A JVM that is ending does not wait for what its main thread says.
            Thread main = Thread.currentThread();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> awaitEnd(main)));
            try (Fiber fiber = LocalFiber.open();
                    Pool pool = fiber.pool(2)) {
                pool.map(
                        item -> {
                            if (item == 0) {
                                System.out.println("ready");
                            }
                            LocalFiber.last(Duration.ofMinutes(5));
                            return item;
                        },
                        IntStream.range(0, 2));
            }
        }
    }
}
