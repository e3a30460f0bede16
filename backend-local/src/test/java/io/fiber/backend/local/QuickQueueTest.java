// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.FiberQueue;
import io.fiber.Manager;
import io.fiber.Pool;
import io.fiber.QueueClosedException;
import io.fiber.RemoteTaskException;
import io.fiber.WaitInterruptedException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Items in quick succession, which do not wait for each other. */
class QuickQueueTest {

    /** Less than a queue holds. */
    private static final int MANY = 800;

    private static final int LOAD = 50_000;
    private static final Pattern LATE = Pattern.compile("of those that this thread has put, (\\d+) came too late");

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    private static void putAll(FiberQueue<Integer> queue, int count) {
        for (int i = 0; i < count; i++) {
            queue.put(i);
        }
    }

    private static List<Integer> rest(FiberQueue<Integer> queue) {
        List<Integer> items = new ArrayList<>();
        for (Optional<Integer> item = queue.poll(); item.isPresent(); item = queue.poll()) {
            items.add(item.orElseThrow());
        }
        return items;
    }

    @Test
    void anInterruptedWriterPutsNothingMore() {
        try (Manager manager = session.fiber().manager()) {
            FiberQueue<Integer> queue = manager.queue();
            putAll(queue, MANY);
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> queue.put(MANY)).isInstanceOf(WaitInterruptedException.class);
            assertThat(Thread.interrupted()).isTrue();
            queue.flush();
            assertThat(rest(queue)).isEqualTo(LocalFiber.numbers(MANY));
        }
    }

    @Test
    void aWriterThatWaitsForRoomIsInterrupted() throws InterruptedException {
        try (Manager manager = session.fiber().manager()) {
            FiberQueue<Integer> queue = manager.queue(64);
            CompletableFuture<Void> ended = new CompletableFuture<>();
            Thread writer = new Thread(() -> {
                try {
                    putAll(queue, MANY);
                    ended.complete(null);
                } catch (RuntimeException e) {
                    ended.completeExceptionally(e);
                }
            });
            writer.start();
            await().until(() -> queue.size() == 64);
            writer.interrupt();
            writer.join();

            assertThatThrownBy(ended::join).hasCauseInstanceOf(WaitInterruptedException.class);
            List<Integer> arrived = rest(queue);
            assertThat(arrived).hasSizeGreaterThanOrEqualTo(64).isEqualTo(LocalFiber.numbers(arrived.size()));
        }
    }

    @Test
    void whatATaskHasPutIsThereWhenItHasEnded() {
        FiberQueue<Integer> queue = session.fiber().queue();

        session.pool(1).apply(() -> {
            putAll(queue, MANY);
            return true;
        });

        assertThat(queue.size()).isEqualTo(MANY);
        assertThat(rest(queue)).isEqualTo(LocalFiber.numbers(MANY));
    }

    @Test
    void whatAFailedTaskHasPutArrives() {
        FiberQueue<Integer> queue = session.fiber().queue();

        assertThatThrownBy(() -> session.pool(1).apply(() -> {
                    putAll(queue, MANY);
                    throw new IllegalStateException("after the last item");
                }))
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("after the last item");

        for (int i = 0; i < MANY; i++) {
            assertThat(queue.poll(LocalFiber.LIMIT)).contains(i);
        }
    }

    @Test
    void whatATaskHasNotTakenIsThereForOthersWhenItHasEnded() {
        FiberQueue<Integer> queue = session.fiber().queue();
        putAll(queue, MANY);
        Pool pool = session.pool(1);

        List<Integer> taken = pool.apply(() -> takeSome(queue));
        assertThatThrownBy(() -> pool.apply(() -> {
                    takeSome(queue);
                    throw new IllegalStateException("after some items");
                }))
                .isInstanceOf(RemoteTaskException.class);

        assertThat(taken).isEqualTo(LocalFiber.numbers(100));
        assertThat(rest(queue)).isEqualTo(IntStream.range(200, MANY).boxed().toList());
    }

    private static List<Integer> takeSome(FiberQueue<Integer> queue) {
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            taken.add(queue.take());
        }
        return taken;
    }

    /** Each item is in the queue, or counted as late in the exception of the thread that has put it. */
    @Test
    void eachWriterLearnsWhichOfItsItemsCameTooLate() throws InterruptedException {
        try (Manager manager = session.fiber().manager()) {
            for (int round = 0; round < 20; round++) {
                FiberQueue<Integer> queue = manager.queue();
                List<CompletableFuture<long[]>> writers = new ArrayList<>();
                for (int number = 0; number < 3; number++) {
                    int own = number;
                    writers.add(CompletableFuture.supplyAsync(() -> putUntilClosed(queue, own)));
                }
                await().until(() -> queue.size() > 100);
                queue.close();
                long[] arrived = new long[3];
                for (int item : queue) {
                    arrived[item]++;
                }
                for (int number = 0; number < 3; number++) {
                    long[] putAndLate = writers.get(number).join();
                    // The item at which the exception came may be among the late ones.
                    assertThat(arrived[number] + putAndLate[1]).isBetween(putAndLate[0], putAndLate[0] + 1);
                }
                assertThatThrownBy(() -> queue.put(0))
                        .isInstanceOf(QueueClosedException.class)
                        .hasMessageEndingWith("nothing was added.");
            }
        }
    }

    /** Returns how many puts returned, and how many items came too late. */
    private static long[] putUntilClosed(FiberQueue<Integer> queue, int item) {
        for (long put = 0; ; put++) {
            try {
                queue.put(item);
            } catch (QueueClosedException e) {
                Matcher late = LATE.matcher(String.valueOf(e.getMessage()));
                return new long[] {put, late.find() ? Long.parseLong(late.group(1)) : 0};
            }
        }
    }

    /** Threads of the process in which the queue lives take, say so and return items while it answers the others. */
    @Test
    void readersOfTheProgramThatPauseLoseNothing() {
        FiberQueue<Integer> queue = session.fiber().queue();
        List<CompletableFuture<BitSet>> readers = IntStream.range(0, 3)
                .mapToObj(seed -> CompletableFuture.supplyAsync(() -> takeWithPauses(queue, new Random(seed))))
                .toList();
        putAll(queue, LOAD);
        queue.flush();
        queue.close();

        BitSet all = new BitSet();
        int count = 0;
        for (CompletableFuture<BitSet> reader : readers) {
            BitSet taken = reader.orTimeout(60, TimeUnit.SECONDS).join();
            count += taken.cardinality();
            all.or(taken);
        }
        assertThat(all.cardinality()).isEqualTo(LOAD);
        assertThat(count).isEqualTo(LOAD);
    }

    private static BitSet takeWithPauses(FiberQueue<Integer> queue, Random random) {
        BitSet taken = new BitSet();
        try {
            while (true) {
                taken.set(queue.take());
                if (random.nextInt(2_000) == 0) {
                    LocalFiber.last(Duration.ofMillis(random.nextInt(50)));
                }
            }
        } catch (QueueClosedException e) {
            return taken;
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    @Test
    void threadsThatHaveEndedAreForgotten() throws InterruptedException {
        FiberQueue<Integer> queue = session.fiber().queue();
        List<WeakReference<Thread>> ended = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            Thread writer = new Thread(() -> putAll(queue, 2));
            writer.start();
            writer.join();
            ended.add(new WeakReference<>(writer));
        }
        await().untilAsserted(() -> {
            System.gc();
            assertThat(ended.stream().filter(thread -> thread.get() != null).count())
                    .as("threads that are still known")
                    .isLessThan(100);
        });
    }
}
