// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CurrentProcess;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.ProcessState;
import io.fiber.RemoteTaskException;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Workers that start processes and pools of their own. */
class NestedUseTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    @TempDir
    Path directory;

    @AfterEach
    void thisProcessHasLeftNothing() {
        assertNothingIsLeftOf(pid());
    }

    /** Directories of media drivers end in the number of their process. */
    private static void assertNothingIsLeftOf(long pid) {
        await("directories of " + pid + " in " + SHARED_MEMORY).atMost(LIMIT).untilAsserted(() -> {
            try (Stream<Path> entries = Files.list(SHARED_MEMORY)) {
                assertThat(entries.filter(entry ->
                                entry.getFileName().toString().matches("fiber-.*-[a-z0-9]{12}-" + pid + "(-[0-9]+)?")))
                        .isEmpty();
            }
        });
    }

    private static Fiber open() {
        return Fiber.builder()
                .backend("local")
                .transport("aeron")
                .set("cds", "false")
                .open();
    }

    private static void write(String file, Object text) {
        try {
            Path unfinished = Path.of(file + ".new");
            Files.writeString(unfinished, text.toString(), StandardOpenOption.CREATE);
            Files.move(unfinished, Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String file(String name) {
        return directory.resolve(name).toString();
    }

    private String read(String name) {
        Path file = directory.resolve(name);
        await("the file " + name).atMost(LIMIT).until(() -> Files.exists(file));
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long pid() {
        return ProcessHandle.current().pid();
    }

    private static void forever() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private static void assertGone(long pid) {
        await("process " + pid + " gone")
                .atMost(LIMIT)
                .until(() -> ProcessHandle.of(pid).filter(LocalSession::runs).isEmpty());
        assertNothingIsLeftOf(pid);
    }

    @Test
    void thereIsNoCurrentSessionOutsideOfAWorker() {
        assertThatThrownBy(Fiber::current)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("FBR-301")
                .hasMessageContaining("Fiber.open()");
    }

    @Test
    void aProcessStartsAProcess() {
        String inner = file("inner");
        String outer = file("outer");
        try (Fiber fiber = open()) {
            FiberProcess process = fiber.process(() -> {
                        Fiber own = Fiber.current();
                        FiberProcess child = own.process(() -> write(inner, line(Fiber.current())))
                                .start();
                        int code = child.join();
                        write(outer, line(own) + " " + own.backend() + " " + code + " " + child.parent());
                    })
                    .start();
            assertThat(process.join()).isZero();
            String[] outerWords = read("outer").split(" ", -1);
            String[] innerWords = read("inner").split(" ", -1);
            assertThat(outerWords).startsWith("main").endsWith("local", "0", outerWords[1]);
            assertThat(outerWords[2]).isEqualTo(process.id().orElseThrow());
            assertThat(innerWords[0]).isEqualTo(outerWords[1]);
            assertThat(innerWords[2]).isNotEqualTo(outerWords[2]);
        }
    }

    private static String line(Fiber session) {
        CurrentProcess me = session.currentProcess();
        return me.parent().orElse("nobody") + " " + me.name() + " " + me.id();
    }

    @Test
    void aTaskOfAPoolUsesAPool() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(2)) {
            List<Integer> sums = pool.map(
                    n -> {
                        try (Pool own = Fiber.current().pool(2)) {
                            List<Integer> products = own.map(i -> i * n, IntStream.range(0, 100));
                            return products.stream().mapToInt(Integer::intValue).sum();
                        }
                    },
                    List.of(1, 2, 3));
            assertThat(sums).containsExactly(4950, 9900, 14850);
        }
    }

    @Test
    void aPoolWorksInAProcessOfAProcess() {
        String result = file("result");
        try (Fiber fiber = open()) {
            FiberProcess top = fiber.process(() -> {
                        FiberProcess middle = Fiber.current()
                                .process(() -> {
                                    try (Pool pool = Fiber.current().pool(2)) {
                                        write(result, pool.map(i -> i + 1, IntStream.range(0, 5)));
                                    }
                                })
                                .start();
                        if (middle.join() != 0) {
                            throw middle.failure().orElseThrow();
                        }
                    })
                    .start();
            assertThat(top.join()).isZero();
            assertThat(read("result")).isEqualTo("[1, 2, 3, 4, 5]");
        }
    }

    @Test
    void anExceptionOfAGrandchildReachesTheRoot() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(1)) {
            assertThatThrownBy(() -> pool.apply(() -> {
                        try (Pool own = Fiber.current().pool(1)) {
                            return own.apply(() -> {
                                throw new IOException("no such horse");
                            });
                        }
                    }))
                    .isInstanceOf(RemoteTaskException.class)
                    .hasStackTraceContaining("no such horse")
                    .hasStackTraceContaining("java.io.IOException");
        }
    }

    @Test
    void whatAProcessStartedEndsWhenItIsKilled() {
        String deepest = file("deepest");
        String middle = file("middle");
        try (Fiber fiber = open()) {
            FiberProcess process = fiber.process(() -> {
                        FiberProcess child = Fiber.current()
                                .process(() -> {
                                    FiberProcess last = Fiber.current()
                                            .process(NestedUseTest::forever)
                                            .start();
                                    write(deepest, last.id().orElseThrow());
                                    forever();
                                })
                                .start();
                        write(middle, child.id().orElseThrow());
                        forever();
                    })
                    .start();
            long deepestPid = Long.parseLong(read("deepest"));
            long middlePid = Long.parseLong(read("middle"));
            long topPid = Long.parseLong(process.id().orElseThrow());
            assertThat(ProcessHandle.of(deepestPid)).isPresent();

            ProcessHandle.of(topPid).orElseThrow().destroyForcibly();

            assertGone(topPid);
            assertGone(middlePid);
            assertGone(deepestPid);
            assertThat(process.onExit().join().state()).isEqualTo(ProcessState.LOST);
        }
    }

    @Test
    void terminatingTheRootEndsWhatItsWorkersStarted() {
        String child = file("child");
        Fiber fiber = open();
        try {
            fiber.process(() -> {
                        FiberProcess own =
                                Fiber.current().process(NestedUseTest::forever).start();
                        write(child, own.id().orElseThrow());
                        forever();
                    })
                    .start();
            long pid = Long.parseLong(read("child"));
            fiber.terminate();
            assertGone(pid);
        } finally {
            fiber.terminate();
        }
    }

    @Test
    void aProcessWaitsForWhatItStartedAndEndsItsDaemons() {
        String late = file("late");
        String daemon = file("daemon");
        String go = file("go");
        try (Fiber fiber = open()) {
            FiberProcess process = fiber.process(() -> {
                        Fiber own = Fiber.current();
                        own.process(() -> {
                                    await().atMost(LIMIT).until(() -> Files.exists(Path.of(go)));
                                    write(late, "done");
                                })
                                .start();
                        FiberProcess servant =
                                own.process(NestedUseTest::forever).daemon().start();
                        write(daemon, servant.id().orElseThrow());
                    })
                    .start();
            long servant = Long.parseLong(read("daemon"));
            assertThat(process.isAlive()).isTrue();
            write(go, "");
            assertThat(process.join()).isZero();
            assertThat(read("late")).isEqualTo("done");
            assertGone(servant);
        }
    }

    @Test
    void threadsThatATaskStartsAreInItsSession() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(1)) {
            String answer = pool.apply(() -> inAnotherThread(() -> {
                try (Pool own = Fiber.current().pool(1)) {
                    return own.apply(
                            () -> Fiber.current().currentProcess().parent().orElseThrow());
                }
            }));
            String worker = pool.apply(() -> Fiber.current().currentProcess().name());
            assertThat(answer).isEqualTo(worker);
        }
    }

    private static <T> T inAnotherThread(java.util.concurrent.Callable<T> work) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(work.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        thread.start();
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Test
    void aWorkerThatClosedItsSessionGetsAnother() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(1)) {
            for (int i = 0; i < 2; i++) {
                long child = pool.apply(() -> {
                    try (Fiber own = Fiber.current();
                            Pool inner = own.pool(1)) {
                        return inner.apply(NestedUseTest::pid);
                    }
                });
                assertGone(child);
            }
        }
    }

    @Test
    void linesOfAGrandchildAreToldByTheRoot() {
        String lines = file("lines");
        try (Fiber fiber = open()) {
            FiberProcess process = fiber.process(() -> {
                        FiberProcess child = Fiber.current()
                                .process(() -> System.out.println("I am the grandchild"))
                                .start();
                        child.join();
                        write(lines, child.logs(10));
                    })
                    .start();
            assertThat(process.join()).isZero();
            assertThat(read("lines")).contains("I am the grandchild");
        }
    }

    @Test
    void requestsTravelSealedWhereMemoryIsNotShared() {
        try (Fiber fiber = Fiber.builder()
                        .backend(new Walled())
                        .transport("aeron")
                        .set("cds", "false")
                        .open();
                Pool pool = fiber.pool(1)) {
            List<Integer> answer = pool.apply(() -> {
                try (Pool own = Fiber.current().pool(1)) {
                    return own.map(i -> i * i, IntStream.range(0, 4));
                }
            });
            assertThat(answer).containsExactly(0, 1, 4, 9);
        }
    }

    /** The local backend, whose jobs say that they are to be reached over the network. */
    private static final class Walled implements BackendProvider {
        private final LocalBackendProvider local = new LocalBackendProvider();

        @Override
        public String name() {
            return "walled";
        }

        @Override
        public Probe probe(Environment environment) {
            return local.probe(environment);
        }

        @Override
        public Backend create(BackendContext context) {
            Backend backend = local.create(context);
            InetAddress loopback = InetAddress.getLoopbackAddress();
            return new Backend() {
                @Override
                public CallerHost callerHost() {
                    return new CallerHost(loopback, loopback.getHostAddress(), CallerHost.Reach.NETWORK);
                }

                @Override
                public List<Job> submit(Submission submission, JobListener listener) {
                    return backend.submit(submission, listener);
                }

                @Override
                public void close() {
                    backend.close();
                }
            };
        }
    }

    @Test
    void aKilledRootTakesTheGrandchildrenAndTheirFilesWithIt() throws Exception {
        Process root = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--add-exports",
                        "java.base/jdk.internal.misc=ALL-UNNAMED",
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Root.class.getName(),
                        file("grandchild"))
                .inheritIO()
                .start();
        long grandchild = Long.parseLong(read("grandchild"));
        assertThat(ProcessHandle.of(grandchild)).isPresent();

        root.destroyForcibly();

        assertGone(grandchild);
        await("the directories of the sessions gone")
                .atMost(LIMIT)
                .untilAsserted(() -> assertThat(sessions()).isEmpty());
    }

    private List<Path> sessions() throws IOException {
        try (Stream<Path> files = Files.walk(directory, 2)) {
            return files.filter(path -> path.getFileName().toString().matches("[a-z0-9]{12}"))
                    .toList();
        }
    }

    /** A program whose process has a process of its own, and that waits to be killed. */
    static final class Root {
        private Root() {}

        public static void main(String[] arguments) throws InterruptedException {
            String file = arguments[0];
            open().process(() -> {
                        FiberProcess child =
                                Fiber.current().process(NestedUseTest::forever).start();
                        write(file, child.id().orElseThrow());
                        forever();
                    })
                    .start();
            forever();
        }
    }
}
