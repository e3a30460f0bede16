// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberQueue;
import io.fiber.Pool;
import io.fiber.QueueClosedException;
import io.fiber.tck.fault.Killer;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A program that moves arrays to its workers and back, and items through two queues, while its workers are killed. Every array
 * is checked where it arrives; every item of a queue must arrive.
 */
final class DataUnderKillsPrograms {

    private static final long SEED = 51;
    private static final int WORKERS = 4;
    private static final Duration MEAN_PAUSE = Duration.ofMillis(700);
    private static final Duration SILENCE_LIMIT = Duration.ofMinutes(1);
    /** A killed reader may have finished items that the queue does not know of; they come again. */
    private static final int AGAIN_PER_KILL = 100;

    private static final int STRIDE = 512;

    /** An array whose content follows from the number and its length. */
    @SuppressWarnings("ArrayRecordComponent") // it is never compared
    private record Numbered(int number, byte[] bytes) implements Serializable {
        static Numbered of(int number, int length) {
            byte[] bytes = new byte[length];
            for (int at = 0; at < length; at += STRIDE) {
                bytes[at] = value(number, at);
            }
            return new Numbered(number, bytes);
        }

        private static byte value(int number, int at) {
            return (byte) (31 * number + at / STRIDE);
        }

        void check(int expectedNumber, int expectedLength) {
            if (number != expectedNumber || bytes.length != expectedLength) {
                throw new AssertionError("array " + number + " of " + bytes.length + " bytes; expected array "
                        + expectedNumber + " of " + expectedLength);
            }
            for (int at = 0; at < bytes.length; at += STRIDE) {
                if (bytes[at] != value(number, at)) {
                    throw new AssertionError("array " + number + " differs at byte " + at + " of " + bytes.length);
                }
            }
        }
    }

    /** What a task returns: an array, and what it took from the queue, if there was something. */
    private record Returned(Numbered array, List<Integer> taken) implements Serializable {}

    private final FiberQueue<Integer> given;
    private final FiberQueue<Integer> told;
    private final int greatestBytes;
    private final BitSet taken = new BitSet();
    private final BitSet heard = new BitSet();
    private int takenAgain;
    private int offered;
    private int number;

    private DataUnderKillsPrograms(Fiber fiber, int greatestBytes) {
        this.given = fiber.queue(100);
        this.told = fiber.queue();
        this.greatestBytes = greatestBytes;
    }

    /** The arguments: the transport, the greatest array in bytes, how many kills, how many seconds, and an empty directory. */
    public static void main(String[] args) throws InterruptedException {
        int kills = Integer.parseInt(args[2]);
        long endNs =
                System.nanoTime() + Duration.ofSeconds(Long.parseLong(args[3])).toNanos();
        ReadyWorkers workers = new ReadyWorkers(Path.of(args[4]));
        try (Fiber fiber = Fiber.builder()
                        .transport(args[0])
                        .set("fiber.cds", "false")
                        .set("max-start-failures", "100")
                        .open();
                Pool pool = fiber.poolBuilder(WORKERS)
                        .callOptions(CallOptions.defaults().maxReruns(20))
                        .initializer(workers.initializer())
                        .start()) {
            pool.awaitReady();
            DataUnderKillsPrograms program = new DataUnderKillsPrograms(fiber, Integer.parseInt(args[1]));
            Thread listener = new Thread(program::listen, "listener");
            listener.start();
            Killer killer = Killer.start(SEED, MEAN_PAUSE, () -> workers.victims(WORKERS));
            try (killer) {
                while (pool.statistics().workersLost() < kills || System.nanoTime() < endNs) {
                    program.round(pool);
                }
            }
            System.out.println("kills " + killer.kills());
            program.takeTheRest();
            program.told.close();
            listener.join();
            program.report((int) pool.statistics().workersLost());
        }
    }

    /** Sizes of all magnitudes are equally frequent. */
    private static int length(int number, int salt, int greatest) {
        double share = new SplittableRandom(31L * number + salt).nextDouble();
        return (int) Math.expm1(share * Math.log1p(greatest));
    }

    private void round(Pool pool) {
        while (given.offer(offered, Duration.ZERO)) {
            offered++;
        }
        int first = number;
        int greatest = greatestBytes;
        FiberQueue<Integer> from = given;
        FiberQueue<Integer> to = told;
        // One by one as they are asked for, and all at once from where they are.
        number += 32;
        try (Stream<Returned> results =
                pool.imap(item -> answer(item, greatest, from, to), () -> arrays(first, first + 32))) {
            Iterator<Returned> returned = results.iterator();
            for (int i = first; i < number; i++) {
                check(i, returned.next());
            }
        }
        List<Numbered> list = new ArrayList<>();
        arrays(number, number + 4).forEachRemaining(list::add);
        for (Returned result : pool.map(item -> answer(item, greatest, from, to), list)) {
            check(number++, result);
        }
    }

    private Iterator<Numbered> arrays(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> Numbered.of(i, length(i, 1, greatestBytes)))
                .iterator();
    }

    private static Returned answer(Numbered item, int greatest, FiberQueue<Integer> given, FiberQueue<Integer> told) {
        item.check(item.number(), length(item.number(), 1, greatest));
        told.put(item.number());
        return new Returned(
                Numbered.of(item.number(), length(item.number(), 2, greatest)),
                given.poll().stream().toList());
    }

    private void check(int expected, Returned returned) {
        returned.array().check(expected, length(expected, 2, greatestBytes));
        returned.taken().forEach(this::take);
    }

    private void take(int item) {
        if (taken.get(item)) {
            takenAgain++;
        }
        taken.set(item);
    }

    /** What no task took is in the queue, or returns to it. */
    private void takeTheRest() {
        while (taken.cardinality() < offered) {
            take(given.poll(SILENCE_LIMIT)
                    .orElseThrow(() -> new AssertionError(
                            "lost items of the queue: " + (offered - taken.cardinality()) + " of " + offered)));
        }
    }

    private void listen() {
        try {
            while (true) {
                heard.set(told.take());
            }
        } catch (QueueClosedException e) {
            // All has been said.
        }
    }

    private void report(int kills) {
        if (heard.cardinality() != number) {
            throw new AssertionError("tasks told of " + heard.cardinality() + " arrays of " + number);
        }
        if (takenAgain > kills * AGAIN_PER_KILL) {
            throw new AssertionError(takenAgain + " items came again after " + kills + " kills");
        }
        System.out.println(
                "exact " + number + " arrays, " + offered + " items, of which " + takenAgain + " came again");
    }
}
