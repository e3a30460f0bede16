// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.CallOptions;
import io.fiber.ConfigurationException;
import io.fiber.ConnectedManager;
import io.fiber.Connection;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.JoinableQueue;
import io.fiber.ManagedBarrier;
import io.fiber.ManagedEvent;
import io.fiber.ManagedList;
import io.fiber.ManagedLock;
import io.fiber.ManagedMap;
import io.fiber.ManagedNamespace;
import io.fiber.ManagedSemaphore;
import io.fiber.Manager;
import io.fiber.ManagerEndpoint;
import io.fiber.Needs;
import io.fiber.OneWayPipe;
import io.fiber.Pipe;
import io.fiber.Pool;
import io.fiber.Receiver;
import io.fiber.RemoteTaskException;
import io.fiber.Retry;
import io.fiber.Ring;
import io.fiber.RingMember;
import io.fiber.WorkerLocal;
import io.fiber.function.RemoteConsumer;
import io.fiber.function.RemoteFunction;
import io.fiber.function.RemoteRunnable;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The code of {@code docs/coming-from-multiprocessing.md}: {@link DocumentationTest} looks for it here. */
@Tag("slow")
final class ComingFromMultiprocessingTest {
    private static final int KILLED = 137;
    private static final int DEFAULT_CAPACITY = 1024;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @SuppressWarnings("NullAway") // set before the first test
    private static Fiber fiber;

    private final int n = 2;

    @TempDir
    private Path directory;

    @BeforeAll
    static void open() {
        fiber = Fiber.open();
    }

    @AfterAll
    static void close() {
        fiber.close();
    }

    @Test
    void processes() {
        RemoteRunnable program = () -> System.out.println("Hello from another process");
        FiberProcess hello = fiber.process(program);
        assertThat(hello.join()).isZero();
        assertThat(hello.isAlive()).isFalse();
        assertThat(hello.id()).isPresent();

        FiberProcess process = fiber.processBuilder(() -> new CompletableFuture<Void>().join())
                .name("waits")
                .start();
        assertThat(process.isDaemon()).isFalse();
        assertThat(fiber.activeChildren()).extracting(child -> child.name()).contains("waits");
        process.kill();
        FiberProcess ended =
                process.onExit().orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(ended.exitCode()).hasValue(KILLED);

        FiberProcess daemon = fiber.processBuilder(program).name("x").daemon().start();
        daemon.terminate();
        assertThat(daemon.isDaemon()).isTrue();
        assertThat(fiber.currentProcess().parent()).isEmpty();
        assertThat(fiber.cpuCount()).isPositive();
    }

    @Test
    void exceptionsArriveAsTheCause() {
        try (Pool pool = fiber.pool(n)) {
            assertThatThrownBy(() -> pool.apply(() -> Integer.parseInt("six")))
                    .isInstanceOf(RemoteTaskException.class)
                    .isInstanceOf(FiberException.class)
                    .hasCauseInstanceOf(NumberFormatException.class);
        }
    }

    @Test
    void callsOfAPool() throws Exception {
        try (Pool pool = fiber.pool()) {
            assertThat(pool.workers()).isPositive();
            assertThat(pool.map(each -> each + 1, List.of(1, 2))).containsExactly(2, 3);
            List<Integer> items = List.of(1, 2, 3);
            RemoteFunction<Integer, Integer> f = each -> each * each;
            assertThat(pool.mapReduce(f, items, 0, Integer::sum)).isEqualTo(14);
            assertThat(pool.imap(each -> each + 1, IntStream.range(0, 2))).containsExactly(1, 2);
            assertThat(pool.imapUnordered(each -> each + 1, List.of(1, 2))).containsExactlyInAnyOrder(2, 3);
            assertThat(pool.mapAsync(each -> each + 1, List.of(1)).join()).containsExactly(2);
            CompletableFuture<String> future = pool.applyAsync(() -> "done");
            assertThat(future.get(5, TimeUnit.SECONDS)).isEqualTo("done");
            assertThat(future.isDone()).isTrue();
            assertThat(future.isCompletedExceptionally()).isFalse();
            pool.shutdown();
            assertThat(pool.awaitTermination(LIMIT)).isTrue();
            pool.shutdownNow();
        }
    }

    @Test
    void optionsOfAPool() {
        int k = 2;
        try (Pool pool = fiber.poolBuilder(n).threadsPerWorker(k).build()) {
            // The first call decides what the workers get.
            List<CallOptions> options = List.of(
                    CallOptions.defaults().resources(Resources.memory("256m")),
                    CallOptions.defaults().chunkSize(n),
                    CallOptions.defaults().retry(Retry.times(n)));
            for (CallOptions each : options) {
                assertThat(pool.with(each).map(item -> item + 1, List.of(1, 2))).containsExactly(2, 3);
            }
        }
        try (Pool pool = fiber.poolBuilder(n).start()) {
            pool.awaitReady();
            assertThat(pool.workers()).isEqualTo(n);
        }
        try (Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(ComingFromMultiprocessingTest::score)).isEqualTo(1);
        }
    }

    @Needs(cpus = 1, memory = "256m")
    private static int score() {
        return 1;
    }

    private static int loads;

    /** What each worker makes once. */
    private static final class Model {
        static int load() {
            loads++;
            return loads;
        }
    }

    @Test
    void staticFieldsDoNotTravel() {
        loads = 40;
        WorkerLocal<Integer> model = WorkerLocal.of(Model::load);
        try (Pool pool = fiber.poolBuilder(n)
                .initializer(() -> loads = 6)
                .maxTasksPerWorker(100)
                .build()) {
            assertThat(pool.map(each -> model.get(), List.of(1, 2, 3))).containsOnly(7);
        }
        try (Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(() -> loads)).isZero();
        }
        assertThat(loads).isEqualTo(40);
    }

    @Test
    void queues() {
        try (FiberQueue<Integer> queue = fiber.queue()) {
            int items = 0;
            while (queue.offer(items)) {
                items++;
            }
            assertThat(items).isEqualTo(DEFAULT_CAPACITY);
            assertThat(queue.size()).isEqualTo(items);
            assertThat(queue.take()).isZero();
            assertThat(queue.poll(Duration.ofSeconds(5))).hasValue(1);
        }
        FiberQueue<String> ends = fiber.queue(n);
        assertThat(ends.poll()).isEmpty();
        ends.put("a");
        ends.flush();
        ends.close();
        assertThat(ends).containsExactly("a");
        assertThat(ends.isEmpty()).isTrue();
    }

    @Test
    void pipes() {
        Pipe<String, String> both = fiber.pipe();
        FiberProcess echo = fiber.process(() -> {
            try (Connection<String, String> connection = both.second()) {
                connection.send(connection.receive());
                connection.sendBytes(connection.receiveBytes());
            }
        });
        try (Connection<String, String> connection = both.first()) {
            assertThat(connection.poll(Duration.ZERO)).isFalse();
            connection.send("item");
            assertThat(connection.poll(LIMIT)).isTrue();
            assertThat(connection.receive()).isEqualTo("item");
            connection.sendBytes(new byte[] {7});
            assertThat(connection.receiveBytes()).containsExactly(7);
        }
        assertThat(echo.join()).isZero();

        OneWayPipe<Integer> oneWay = fiber.oneWayPipe();
        FiberProcess writer = fiber.process(() -> oneWay.sender().send(1));
        List<Receiver<Integer>> receivers = List.of(oneWay.receiver());
        Duration timeout = LIMIT;
        assertThat(Receiver.awaitAny(receivers, timeout)).containsExactly(oneWay.receiver());
        List<CompletableFuture<FiberProcess>> futures = List.of(writer.onExit());
        assertThat(Fiber.asCompleted(futures)).containsExactly(futures.get(0));
        assertThat(oneWay.receiver().receive()).isEqualTo(1);
        assertThat(writer.join()).isZero();
        oneWay.receiver().close();
    }

    /** What other processes can ask of an object of our own. */
    interface Counter {
        int add(int number);
    }

    static final class TallyCounter implements Counter {
        private int sum;

        @Override
        public int add(int number) {
            sum += number;
            return sum;
        }
    }

    @Test
    void objectsOfAManager() throws Exception {
        try (Manager manager = fiber.manager()) {
            ManagedList<Integer> list = manager.list();
            list.add(1);
            ManagedNamespace namespace = manager.namespace();
            namespace.set("list", list);
            assertThat(manager.value(3).get()).isEqualTo(3);
            assertThat(manager.array(new int[] {1, 2}).length()).isEqualTo(2);
            assertThat(manager.queue().size()).isZero();
            JoinableQueue<Integer> queue = manager.joinableQueue();
            queue.put(1);
            queue.take();
            queue.taskDone();
            queue.join();
            ManagedLock lock = manager.reentrantLock();
            lock.lock();
            try {
                assertThat(lock.wasAbandoned()).isFalse();
                lock.newCondition().signalAll();
            } finally {
                lock.unlock();
            }
            assertThat(manager.lock().isLocked()).isFalse();
            ManagedSemaphore semaphore = manager.semaphore(1);
            assertThat(semaphore.tryAcquire()).isTrue();
            assertThat(manager.boundedSemaphore(1).availablePermits()).isEqualTo(1);
            ManagedEvent event = manager.event();
            event.set();
            event.await();
            ManagedBarrier barrier = manager.barrier(1);
            assertThat(barrier.await()).isZero();
            Counter counter = manager.share(Counter.class, TallyCounter::new);
            assertThat(counter.add(5)).isEqualTo(5);
            CompletableFuture<Integer> sum =
                    manager.hostAsync(TallyCounter::new).call(tally -> tally.add(5));
            assertThat(sum.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(5);
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void aManagerForOtherPrograms() {
        String host = "127.0.0.1";
        int port = 0;
        Secret key = Secret.of(new byte[] {9, 1, 7, 2, 8, 4, 3, 6, 5, 0, 3, 1, 4, 1, 5, 9});
        String word = "word";
        try (Manager manager = fiber.manager()) {
            ManagedMap<String, Integer> counts = manager.map();
            assertThat(counts.merge(word, 1, Integer::sum)).isEqualTo(1);
            manager.publish("counts", counts);
            List<ManagerEndpoint> endpoints =
                    List.of(manager.listen(), manager.listen(new ManagerEndpoint(host, port, key)));
            for (ManagerEndpoint endpoint : endpoints) {
                try (ConnectedManager other = Manager.connect(endpoint)) {
                    ManagedMap<String, Integer> found = other.find("counts", ManagedMap.class);
                    assertThat(found.get(word)).isEqualTo(1);
                }
            }
        }
    }

    @Test
    void rings() {
        RemoteConsumer<RingMember> func = member -> {
            if (member.addresses().size() != 2 || member.rank() >= member.size()) {
                throw new IllegalStateException("a ring of " + member.size());
            }
        };
        fiber.ring(n).run(func);
        Ring ring = fiber.ringBuilder(n).initializer(() -> loads = 1).build();
        assertThat(ring.call(member -> member.rank() + loads)).containsExactly(1, 2);
    }

    @Test
    void aFileOfFiberForPythonIsRefused() throws IOException {
        Path file = directory.resolve("fiberconfig");
        Files.writeString(file, "[default]\nlog_level = debug\n");
        assertThatThrownBy(() -> Fiber.builder().set("config", file.toString()).open())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("FBR-122")
                .hasMessageContaining("line 1 is not of the form 'key = value'");

        Files.writeString(file, "log_level = debug\n");
        assertThatThrownBy(() -> Fiber.builder().set("config", file.toString()).open())
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("Did you mean 'log-level'?");

        String key = "log-level";
        String value = "debug";
        try (Fiber other = Fiber.builder().set(key, value).open()) {
            assertThat(other.describe()).contains("log-level = debug");
        }
    }
}
