// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.WorkerLostException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A task that ends its worker is given up after its attempts, and harms no other. */
@Tag("slow")
class TaskKillersTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    private static final int KILLER = 61;

    @TempDir
    Path tmp;

    @Test
    void taskThatExitsItsWorkerIsBegunThreeTimes() {
        Pool pool = session.mortalPool(2);
        long lostBefore = pool.statistics().workersLost();
        long failedBefore = pool.statistics().tasksFailed();
        String file = tmp.resolve("begun").toString();
        WorkerLostException lost = catchThrowableOfType(
                WorkerLostException.class,
                () -> pool.apply(() -> {
                    LocalFiber.note(file, "begun");
                    System.out.println("the last words of a task");
                    System.exit(3);
                    return 1;
                }));

        assertThat(lost.code()).isEqualTo("FBR-402");
        assertThat(lost.attempts()).isEqualTo(3);
        assertThat(lost.exitDescription()).contains("exit code 3");
        assertThat(lost).hasMessageContaining("was started 3 times").hasMessageContaining("exit code 3");
        assertThat(lost)
                .hasMessageContaining("Look for System.exit in the task")
                .hasMessageNotContaining("memory");
        assertThat(lost.lastLogLines()).contains("the last words of a task");
        assertThat(LocalFiber.notes(Path.of(file))).hasSize(3);
        assertWorks(pool);
        assertThat(pool.statistics().workersLost() - lostBefore).isEqualTo(3);
        assertThat(pool.statistics().tasksFailed() - failedBefore).isEqualTo(1);
    }

    @Test
    void taskThatHaltsItsWorkerIsBegunThreeTimes() {
        Pool pool = session.mortalPool(2);
        String file = tmp.resolve("begun").toString();
        CompletableFuture<Integer> future = pool.applyAsync(() -> {
            LocalFiber.note(file, "begun");
            Runtime.getRuntime().halt(4);
            return 1;
        });

        assertThatThrownBy(future::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(WorkerLostException.class)
                .hasMessageContaining("exit code 4");
        assertThat(LocalFiber.notes(Path.of(file))).hasSize(3);
        assertWorks(pool);
    }

    @Test
    void killerInAChunkOfQuickItemsIsBegunThreeTimes() {
        Pool pool = session.mortalPool(2);
        String file = tmp.resolve("begun").toString();

        assertThatThrownBy(() -> pool.with(CallOptions.defaults().chunkSize(100))
                        .map(item -> exitOr(item, file), LocalFiber.numbers(400)))
                .isInstanceOf(WorkerLostException.class)
                .hasMessageContaining("Task " + KILLER + " ")
                .hasMessageContaining("was started 3 times")
                .hasMessageContaining("exit code 3");

        assertThat(LocalFiber.notes(Path.of(file))).hasSize(3);
        assertWorks(pool);
    }

    @Test
    void killerInAnAdaptiveChunkIsBegunThreeTimes() {
        Pool pool = session.mortalPool(2);
        String file = tmp.resolve("begun").toString();
        pool.map(item -> item, LocalFiber.numbers(10_000));

        assertThatThrownBy(() -> pool.map(item -> haltOr(item, file), LocalFiber.numbers(10_000)))
                .isInstanceOf(WorkerLostException.class)
                .hasMessageContaining("Task " + KILLER + " ")
                .hasMessageContaining("exit code 4");

        assertThat(LocalFiber.notes(Path.of(file))).hasSize(3);
        assertWorks(pool);
    }

    private static int exitOr(int item, String file) {
        if (item == KILLER) {
            LocalFiber.note(file, item);
            System.exit(3);
        }
        return item;
    }

    private static int haltOr(int item, String file) {
        if (item == KILLER) {
            LocalFiber.note(file, item);
            Runtime.getRuntime().halt(4);
        }
        return item;
    }

    @Test
    void otherTasksFinish() {
        Pool pool = session.mortalPool(2);
        String file = tmp.resolve("begun").toString();
        List<CompletableFuture<Integer>> futures = new ArrayList<>();
        for (int item : LocalFiber.numbers(200)) {
            futures.add(pool.applyAsync(number -> haltOr(number, file), item));
        }

        for (int item : LocalFiber.numbers(200)) {
            if (item == KILLER) {
                assertThat(futures.get(item))
                        .failsWithin(LocalFiber.LIMIT)
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(WorkerLostException.class);
            } else {
                assertThat(futures.get(item)).succeedsWithin(LocalFiber.LIMIT).isEqualTo(item);
            }
        }
        assertThat(LocalFiber.notes(Path.of(file))).hasSize(3);
    }

    @Test
    void withoutRetriesAKillerIsBegunOnce() {
        try (Pool pool = session.fiber()
                .poolBuilder(2)
                .callOptions(CallOptions.defaults().maxReruns(0))
                .build()) {
            String file = tmp.resolve("begun").toString();

            assertThatThrownBy(() -> pool.apply(number -> haltOr(number, file), KILLER))
                    .isInstanceOf(WorkerLostException.class)
                    .hasMessageContaining("was started once")
                    .hasMessageContaining("exit code 4");

            assertThat(LocalFiber.notes(Path.of(file))).hasSize(1);
            assertWorks(pool);
        }
    }

    /** With maxReruns(0) nothing is begun twice, also what stood behind the killer in its chunk. */
    @Test
    void withoutRetriesNoTaskIsBegunTwice() {
        Pool pool = session.mortalPool(2);
        String file = tmp.resolve("begun").toString();

        assertThatThrownBy(() -> pool.with(CallOptions.defaults().chunkSize(100).maxReruns(0))
                        .map(
                                item -> {
                                    LocalFiber.note(file, item);
                                    return item == KILLER ? haltOr(item, file + "-killer") : item;
                                },
                                LocalFiber.numbers(200)))
                .isInstanceOf(WorkerLostException.class);
        assertWorks(pool);

        assertThat(LocalFiber.notes(Path.of(file))).doesNotHaveDuplicates();
    }

    @Test
    void moreRetriesAreMoreAttempts() {
        try (Pool pool = session.fiber().pool(1)) {
            String file = tmp.resolve("begun").toString();

            assertThatThrownBy(() -> pool.with(CallOptions.defaults().maxReruns(4))
                            .apply(number -> haltOr(number, file), KILLER))
                    .isInstanceOf(WorkerLostException.class)
                    .hasMessageContaining("was started 5 times");

            assertThat(LocalFiber.notes(Path.of(file))).hasSize(5);
        }
    }

    @Test
    void taskThatKillsOnlyItsFirstWorkerIsAnswered() {
        Pool pool = session.mortalPool(2);
        Path file = tmp.resolve("begun");
        String name = file.toString();

        assertThat(pool.with(CallOptions.defaults().chunkSize(50))
                        .map(
                                item -> {
                                    if (item == KILLER
                                            && LocalFiber.notes(Path.of(name)).size() < 2) {
                                        haltOr(item, name);
                                    }
                                    return -item;
                                },
                                LocalFiber.numbers(200)))
                .isEqualTo(LocalFiber.numbers(200).stream().map(x -> -x).toList());
        assertThat(LocalFiber.notes(file)).hasSize(2);
    }

    /** A value whose deserialization ends any process but the one that made it. */
    private static final class Bomb implements Serializable {
        private static final long serialVersionUID = 1L;

        private final long maker = LocalFiber.pid();
        private final String file;

        Bomb(String file) {
            this.file = file;
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            if (maker != LocalFiber.pid()) {
                LocalFiber.note(file, "read");
                System.out.println("the last words of a bomb");
                Runtime.getRuntime().halt(5);
            }
        }

        int size() {
            return file.length();
        }
    }

    @Test
    void functionThatEndsTheWorkerThatReadsItFailsItsCallAndNoOther() {
        Pool pool = session.mortalPool(2);
        long lostBefore = pool.statistics().workersLost();
        String file = tmp.resolve("read").toString();
        Bomb captured = new Bomb(file);
        CompletableFuture<Integer> killer = pool.applyAsync(() -> captured.size());
        CompletableFuture<List<Integer>> neighbour = pool.mapAsync(x -> x + 1, LocalFiber.numbers(1_000));

        assertThat(killer)
                .failsWithin(LocalFiber.LIMIT)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(WorkerLostException.class)
                .withMessageContaining("FBR-402 A task of pool '")
                .withMessageContaining("was started 3 times, and its worker was lost each time")
                .withMessageContaining("exit code 5")
                .withMessageContaining("the last words of a bomb");
        assertThat(neighbour)
                .succeedsWithin(LocalFiber.LIMIT)
                .asInstanceOf(LIST)
                .hasSize(1_000);
        assertThat(LocalFiber.notes(Path.of(file))).hasSize(3);
        assertWorks(pool);
        assertThat(pool.statistics().workersLost() - lostBefore).isEqualTo(3);
    }

    @Test
    void functionOfManyItemsThatEndsItsWorkersEndsFewOfThem() {
        try (Pool pool = session.fiber()
                .poolBuilder(2)
                .callOptions(CallOptions.defaults().maxReruns(0))
                .build()) {
            String file = tmp.resolve("read").toString();
            Bomb captured = new Bomb(file);

            assertThatThrownBy(() -> pool.map(x -> x + captured.size(), LocalFiber.numbers(1_000)))
                    .isInstanceOf(WorkerLostException.class)
                    .hasMessageContaining("exit code 5");

            assertWorks(pool);
            assertThat(LocalFiber.notes(Path.of(file))).hasSizeBetween(1, 4);
        }
    }

    @Test
    void argumentThatEndsTheWorkerThatReadsItFailsItsTask() {
        Pool pool = session.mortalPool(2);
        String file = tmp.resolve("read").toString();
        List<Object> items = new ArrayList<>(LocalFiber.numbers(20));
        items.set(7, new Bomb(file));

        assertThatThrownBy(() -> pool.with(CallOptions.defaults().chunkSize(20)).map(Object::hashCode, items))
                .isInstanceOf(WorkerLostException.class)
                .hasMessageContaining("FBR-402 Task 7 of pool '")
                .hasMessageContaining("was started 3 times")
                .hasMessageContaining("exit code 5");

        assertWorks(pool);
        assertThat(LocalFiber.notes(Path.of(file))).hasSize(3);
    }

    /** The worker says how large the argument is and how large its heap, and goes on. */
    @Test
    void argumentAboveTheHeapOfItsWorkerIsRefusedAndTheWorkerGoesOn() {
        try (Fiber fiber = LocalFiber.builder()
                        .set("fiber.worker.jvm-options", "-Xmx32m")
                        .open();
                Pool pool = fiber.pool(1)) {
            long worker = pool.apply(LocalFiber::pid);
            byte[] large = new byte[48 << 20];

            assertThatThrownBy(() -> pool.apply(bytes -> bytes.length, large))
                    .isInstanceOf(RemoteTaskException.class)
                    .hasMessageContaining("FBR-208 A message of 5033")
                    .hasMessageContaining("does not fit into the heap")
                    .hasMessageContaining("Give the process more memory");
            assertThatThrownBy(() -> pool.apply(() -> large.length))
                    .isInstanceOf(RemoteTaskException.class)
                    .hasMessageContaining("FBR-208 A message of 5033");

            assertThat(pool.apply(LocalFiber::pid)).isEqualTo(worker);
            assertThat(pool.statistics().workersLost()).isZero();
        }
    }

    private static void assertWorks(Pool pool) {
        List<Integer> numbers = LocalFiber.numbers(100);
        assertThat(pool.map(x -> x + 1, numbers))
                .isEqualTo(numbers.stream().map(x -> x + 1).toList());
    }
}
