// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.Pool;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Masters with a small heap. The first argument names the program. */
final class MemoryPrograms {

    private static final int MEGABYTE = 1 << 20;

    private MemoryPrograms() {}

    public static void main(String[] args) {
        switch (args[0]) {
            case "arguments" -> arguments();
            case "list" -> list();
            case "streams" -> streams();
            case "result" -> result();
            case "results" -> results();
            case "chunk" -> chunk();
            case "queue" -> queue();
            case "filled" -> filled(Long.parseLong(args[1]));
            case "unreadable" -> unreadable();
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static int length(byte[] bytes) {
        return bytes.length;
    }

    private static Fiber open() {
        return Fiber.builder().set("fiber.cds", "false").open();
    }

    /** Five times the heap is submitted, one call for each argument. */
    private static void arguments() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(2)) {
            List<CompletableFuture<Integer>> lengths = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                lengths.add(pool.applyAsync(MemoryPrograms::length, new byte[5 * MEGABYTE + i]));
            }
            System.out.println(
                    "sum " + lengths.stream().mapToLong(CompletableFuture::join).sum());
        }
    }

    private static void list() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(2)) {
            Iterable<byte[]> arrays = () -> IntStream.range(0, 64)
                    .mapToObj(i -> new byte[5 * MEGABYTE + i])
                    .iterator();
            System.out.println("sum "
                    + pool.map(MemoryPrograms::length, arrays).stream()
                            .mapToLong(Integer::longValue)
                            .sum());
        }
    }

    /** One stream is hardly read while another one is read to its end. */
    private static void streams() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(2);
                Stream<Integer> slow = pool.imap(MemoryPrograms::length, () -> arrays());
                Stream<Integer> fast = pool.imap(MemoryPrograms::length, () -> arrays())) {
            Iterator<Integer> slowly = slow.iterator();
            long sum = slowly.next();
            sum += fast.mapToLong(Integer::longValue).sum();
            while (slowly.hasNext()) {
                sum += slowly.next();
            }
            System.out.println("sum " + sum);
        }
    }

    private static Iterator<byte[]> arrays() {
        return IntStream.range(0, 32).mapToObj(i -> new byte[5 * MEGABYTE + i]).iterator();
    }

    /** What a task returns at no cost. */
    private static final class Ready {
        static final byte[] RESULT = bytes(5);
    }

    /** One chunk has results of five times the heap of its worker, which has them faster than they are sent. */
    private static void chunk() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(1);
                Stream<byte[]> results = pool.with(CallOptions.defaults().chunkSize(64))
                        .imap(item -> Ready.RESULT, IntStream.range(0, 64))) {
            System.out.println(
                    "sum " + results.mapToLong(MemoryPrograms::length).sum());
        }
    }

    private static byte[] bytes(int megabytes) {
        return new byte[megabytes * MEGABYTE];
    }

    private static void result() {
        try (Fiber fiber = open();
                Pool pool = fiber.pool(1)) {
            try {
                System.out.println("arrived " + pool.apply(MemoryPrograms::bytes, 120).length);
            } catch (FiberException e) {
                System.out.println("refused " + e.getMessage());
            }
            System.out.println("works " + pool.apply(MemoryPrograms::bytes, 1).length);
        }
    }

    /** Many bytes while it travels, and none where it has arrived. */
    public static final class Bulk implements Externalizable {
        private static final long serialVersionUID = 1;

        private int megabytes;

        /** For the reader. */
        public Bulk() {}

        Bulk(int megabytes) {
            this.megabytes = megabytes;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            byte[] megabyte = new byte[MEGABYTE];
            out.writeInt(megabytes);
            for (int i = 0; i < megabytes; i++) {
                out.write(megabyte);
            }
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            megabytes = in.readInt();
            for (long left = (long) megabytes * MEGABYTE; left > 0; ) {
                left -= in.skip(left);
            }
        }
    }

    /** Results of more than the heap arrive together, again and again, beside a thread that needs a little of it. */
    private static void results() {
        AtomicInteger beside = new AtomicInteger();
        Thread thread = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    LocalFiber.last(Duration.ofMillis(bytes(1).length / MEGABYTE));
                } catch (OutOfMemoryError e) {
                    beside.incrementAndGet();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        thread.setDaemon(true);
        int ended = 0;
        int refused = 0;
        try (Fiber fiber = open();
                Pool pool = fiber.pool(6)) {
            thread.start();
            for (int round = 0; round < 5; round++) {
                List<CompletableFuture<Bulk>> bulks = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    bulks.add(pool.applyAsync(Bulk::new, 16));
                }
                for (CompletableFuture<Bulk> bulk : bulks) {
                    try {
                        bulk.join();
                    } catch (CompletionException e) {
                        if (!String.valueOf(e.getMessage()).contains("FBR-208 A message of 1685")) {
                            throw e;
                        }
                        refused++;
                    }
                    ended++;
                }
            }
            System.out.println("works " + pool.apply(MemoryPrograms::bytes, 1).length);
        }
        thread.interrupt();
        System.out.println("ended " + ended);
        System.out.println("refused " + refused);
        System.out.println("beside " + beside);
    }

    /** Items of several times the heap pass through a queue that this program holds. */
    private static void queue() {
        try (Fiber fiber = open()) {
            FiberQueue<byte[]> queue = fiber.queue();
            int held = 0;
            while (queue.offer(bytes(5), Duration.ZERO)) {
                held++;
            }
            System.out.println("held " + held);
            FiberProcess writer = fiber.process(() -> {
                for (int i = 0; i < 16; i++) {
                    queue.put(bytes(5));
                }
            });
            long sum = 0;
            for (int i = 0; i < held + 16; i++) {
                sum += queue.take().length;
            }
            writer.join();
            System.out.println("sum " + sum);
        }
    }

    /** Items that cannot be read: the first one takes all the memory there is, and keeps it. */
    private static final class Greedy implements Iterator<byte[]> {
        private static final Object[] NOTHING = {};
        private static volatile Object[] taken = NOTHING;

        @Override
        public boolean hasNext() {
            return true;
        }

        @Override
        public byte[] next() {
            for (int words = MEGABYTE / 4; ; words = Math.max(words / 64, 1)) {
                try {
                    while (true) {
                        Object[] next = new Object[words];
                        next[0] = taken;
                        taken = next;
                    }
                } catch (OutOfMemoryError full) {
                    if (words == 1) {
                        throw full;
                    }
                }
            }
        }
    }

    /** Calls whose items cannot be read, again and again, where there is no memory left to say so. */
    private static void unreadable() {
        Iterable<byte[]> greedy = Greedy::new;
        int ended = 0;
        for (int round = 0; round < 4; round++) {
            try (Fiber fiber = open();
                    Pool pool = fiber.pool(1)) {
                pool.map(MemoryPrograms::length, List.of(bytes(1)));
                try {
                    if (round % 2 == 0) {
                        pool.map(MemoryPrograms::length, greedy);
                    } else {
                        pool.mapAsync(MemoryPrograms::length, greedy).join();
                    }
                } catch (FiberException | CompletionException | OutOfMemoryError e) {
                    ended++;
                } finally {
                    Greedy.taken = Greedy.NOTHING;
                }
            }
        }
        System.out.println("ended " + ended);
    }

    /** Fills its heap to the last byte at random moments and lets it go again. */
    private static final class Filler implements Runnable {
        private final Random random;
        private volatile boolean over;

        Filler(long seed) {
            random = new Random(seed);
        }

        @Override
        public void run() {
            while (!over) {
                pause(random.nextInt(2_000));
                fill();
            }
        }

        /** Returns when its memory is free: saying how the program ended takes some. */
        void end(Thread thread) {
            over = true;
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void fill() {
            Object[] last = {};
            try {
                for (int words = MEGABYTE / 4; words >= 4; ) {
                    try {
                        Object[] next = new Object[words];
                        next[0] = last;
                        last = next;
                    } catch (OutOfMemoryError full) {
                        words /= 4;
                    }
                }
                pause(random.nextInt(50));
            } finally {
                Reference.reachabilityFence(last);
            }
        }

        private static void pause(long millis) {
            try {
                LocalFiber.last(Duration.ofMillis(millis));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Works in a heap that another thread fills; says how it ended. */
    private static void filled(long seed) {
        Filler filler = new Filler(seed);
        Thread thread = new Thread(filler, "filler");
        thread.setDaemon(true);
        String end;
        try (Fiber fiber = open()) {
            thread.start();
            end = "answer " + work(fiber, new Random(seed));
        } catch (Throwable thrown) {
            filler.end(thread);
            // Out of memory, the JVM may throw one error twice, which try-with-resources then cannot join: it is the
            // cause.
            end = "error " + (thrown.getCause() == null ? thrown : thrown + ", caused by " + thrown.getCause());
        }
        filler.end(thread);
        System.out.println(end);
    }

    private static long work(Fiber fiber, Random random) {
        try (Pool pool = fiber.pool(2)) {
            long sum = 0;
            for (int round = 0; round < 10; round++) {
                List<CompletableFuture<Integer>> lengths = new ArrayList<>();
                for (int i = 0; i < 10; i++) {
                    lengths.add(pool.applyAsync(MemoryPrograms::length, new byte[random.nextInt(200_000)]));
                }
                sum += pool.map(item -> item + 1, IntStream.range(0, 2_000)).size();
                sum += pool.map(MemoryPrograms::length, List.of(new byte[1000], new byte[2000]))
                        .size();
                try (Stream<Integer> results = pool.imap(item -> item * 2, List.of(1, 2, 3, 4))) {
                    sum += results.count();
                }
                sum += lengths.stream()
                        .mapToInt(CompletableFuture::join)
                        .filter(length -> length >= 0)
                        .count();
            }
            return sum;
        }
    }
}
