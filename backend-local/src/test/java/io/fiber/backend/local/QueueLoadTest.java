// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.QueueClosedException;
import io.fiber.function.RemoteRunnable;
import io.fiber.tck.fault.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Four writers and one or four readers, each a process. What the readers received they report by a second queue. */
@Tag("slow")
class QueueLoadTest {

    private static final int WRITERS = 4;
    private static final int READERS = 4;
    /** A reader has few items at a time, of which the queue does not know yet that they are done with. */
    private static final int AGAIN_PER_KILL = 100;

    private static final Duration SILENCE_LIMIT = Duration.ofSeconds(60);

    /** What a reader received: a writer's item. */
    record Report(int reader, int writer, int item) implements java.io.Serializable {}

    /** A reader is about to take. */
    record Ready(int reader, long pid) implements java.io.Serializable {}

    private record Item(int writer, int number) implements java.io.Serializable {}

    private record Queues(FiberQueue<Item> items, FiberQueue<Report> reports, FiberQueue<Ready> ready)
            implements java.io.Serializable {}

    @Test
    void noItemIsLostWhenReadersAreKilled() {
        runWithKills(1_000, 4);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void millionItemsArriveOnce() {
        runWithoutKills(250_000);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void millionItemsArriveInTheOrderOfTheirWriter() {
        runInOrder(250_000);
    }

    @Test
    @Tag("soak")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void noneOfAMillionItemsIsLostWhenReadersAreKilled() {
        runWithKills(250_000, 40);
    }

    private static Tally runWithoutKills(int itemsPerWriter) {
        return runWithoutKills(READERS, itemsPerWriter);
    }

    private static Tally runWithoutKills(int readers, int itemsPerWriter) {
        Tally tally = run(readers, itemsPerWriter, 0);
        assertThat(tally.missing()).isZero();
        assertThat(tally.again).as("items that arrived again").isZero();
        assertThat(tally.ofReader.subList(0, readers))
                .as("each reader has a share")
                .allMatch(share -> share > 0);
        return tally;
    }

    /** With more readers, one that pauses returns what it was sent ahead, and another one may have had later items. */
    private static void runInOrder(int itemsPerWriter) {
        assertThat(runWithoutKills(1, itemsPerWriter).outOfOrder)
                .as("items that the reader had after a later one")
                .isZero();
    }

    private static void runWithKills(int itemsPerWriter, int kills) {
        Tally tally = run(READERS, itemsPerWriter, kills);
        assertThat(tally.missing()).isZero();
        assertThat(tally.again).as("items that arrived again").isLessThanOrEqualTo(kills * AGAIN_PER_KILL);
    }

    private static Tally run(int readerCount, int itemsPerWriter, int kills) {
        try (Fiber fiber = LocalFiber.open()) {
            Queues queues = new Queues(fiber.queue(100), fiber.queue(), fiber.queue());
            Readers readers = new Readers(fiber, queues, readerCount);
            List<FiberProcess> writers = IntStream.range(0, WRITERS)
                    .mapToObj(i -> fiber.process(writer(i, itemsPerWriter, queues)))
                    .toList();
            Tally tally = new Tally(itemsPerWriter);
            int killed = 0;
            while (tally.missing() > 0) {
                Optional<Report> report = queues.reports().poll(SILENCE_LIMIT);
                assertThat(report)
                        .as("%d items have not arrived", tally.missing())
                        .isPresent();
                tally.add(report.orElseThrow());
                if (killed < kills && tally.received > tally.expected() / (kills + 1) * (killed + 1)) {
                    readers.killOne();
                    killed++;
                }
            }
            writers.forEach(FiberProcess::join);
            queues.items().close();
            readers.join();
            queues.reports().close();
            tally.addAll(queues.reports());
            assertThat(killed).isEqualTo(kills);
            return tally;
        }
    }

    /** The readers that live. */
    private static final class Readers {
        private final Fiber fiber;
        private final Queues queues;
        private final Random random = new Random(7);
        private final FiberProcess[] processes;
        private final long[] pids;

        /** Starts all, and waits until they are about to take. */
        Readers(Fiber fiber, Queues queues, int count) {
            this.fiber = fiber;
            this.queues = queues;
            this.processes = new FiberProcess[count];
            this.pids = new long[count];
            for (int i = 0; i < count; i++) {
                start(i);
            }
            for (int i = 0; i < count; i++) {
                awaitOne();
            }
        }

        private void start(int number) {
            processes[number] = fiber.process(reader(number, queues));
        }

        private void awaitOne() {
            Ready ready = queues.ready().poll(SILENCE_LIMIT).orElseThrow();
            pids[ready.reader()] = ready.pid();
        }

        void killOne() {
            int number = random.nextInt(processes.length);
            Signal.KILL.send(pids[number]);
            assertThat(processes[number].join()).isNotZero();
            start(number);
            awaitOne();
        }

        void join() {
            for (FiberProcess process : processes) {
                assertThat(process.join()).isZero();
            }
        }
    }

    /** What has arrived. */
    private static final class Tally {
        private final int itemsPerWriter;
        private final BitSet seen = new BitSet();
        private final int[][] last = new int[READERS][WRITERS];
        private final List<Integer> ofReader = new ArrayList<>(java.util.Collections.nCopies(READERS, 0));
        private int received;
        private int again;
        private int outOfOrder;

        Tally(int itemsPerWriter) {
            this.itemsPerWriter = itemsPerWriter;
            for (int[] row : last) {
                Arrays.fill(row, -1);
            }
        }

        int expected() {
            return WRITERS * itemsPerWriter;
        }

        int missing() {
            return expected() - received + again;
        }

        void add(Report report) {
            received++;
            int item = report.writer() * itemsPerWriter + report.item();
            again += seen.get(item) ? 1 : 0;
            seen.set(item);
            int[] lastOfReader = last[report.reader()];
            outOfOrder += report.item() <= lastOfReader[report.writer()] ? 1 : 0;
            lastOfReader[report.writer()] = report.item();
            ofReader.set(report.reader(), ofReader.get(report.reader()) + 1);
        }

        /** Adds what a closed queue still holds. */
        void addAll(FiberQueue<Report> reports) {
            try {
                while (true) {
                    add(reports.take());
                }
            } catch (QueueClosedException e) {
                // Nothing is left.
            }
        }
    }

    private static RemoteRunnable writer(int number, int count, Queues queues) {
        return () -> {
            for (int i = 0; i < count; i++) {
                queues.items().put(new Item(number, i));
            }
        };
    }

    private static RemoteRunnable reader(int number, Queues queues) {
        return () -> {
            queues.ready().put(new Ready(number, LocalFiber.pid()));
            try {
                while (true) {
                    Item item = queues.items().take();
                    queues.reports().put(new Report(number, item.writer(), item.number()));
                }
            } catch (QueueClosedException e) {
                // Nothing is left.
            }
        };
    }
}
