// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.Fiber;
import io.fiber.FiberQueue;
import io.fiber.Manager;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sends items through a queue, once for each line of standard input, and answers with a line {@code RESULT} and the
 * seconds. The Python program beside it, {@code queue_peer.py}, does the same by the same steps.
 */
public final class QueueProgram {

    private static final int ITEMS = 20_000;
    private static final int CAPACITY = 1_024;
    private static final double NS_PER_S = 1e9;

    private QueueProgram() {}

    static void write(FiberQueue<Integer> orders, FiberQueue<Integer> items) {
        for (int count : orders) {
            for (int i = 0; i < count; i++) {
                items.put(i);
            }
        }
    }

    static void pass(FiberQueue<Integer> items, FiberQueue<Integer> passed) {
        for (int item : items) {
            passed.put(item);
        }
    }

    /**
     * Takes how many processes write, and how many take the items and put them into a second queue (0: this process takes
     * them), and perhaps {@code manager}: the queues are then a manager's.
     */
    public static void main(String[] args) throws IOException {
        int writers = Integer.parseInt(args[0]);
        int readers = Integer.parseInt(args[1]);
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Fiber fiber = Fiber.open();
                Manager manager = args.length > 2 ? fiber.managerBuilder().start() : null;
                FiberQueue<Integer> orders = fiber.queue();
                FiberQueue<Integer> items = queue(fiber, manager);
                FiberQueue<Integer> passed = readers == 0 ? items : queue(fiber, manager)) {
            IntStream.range(0, writers).forEach(i -> fiber.process(() -> write(orders, items)));
            IntStream.range(0, readers).forEach(i -> fiber.process(() -> pass(items, passed)));
            while (commands.readLine() != null) {
                long beginNs = System.nanoTime();
                IntStream.range(0, writers).forEach(i -> orders.put(ITEMS / writers));
                long sum =
                        IntStream.range(0, ITEMS).mapToLong(i -> passed.take()).sum();
                long tookNs = System.nanoTime() - beginNs;
                long wanted = (long) ITEMS * (ITEMS / writers - 1) / 2;
                if (sum != wanted) {
                    throw new IllegalStateException(
                            "The items that came add up to " + sum + ", not to " + wanted + ".");
                }
                System.out.printf(Locale.ROOT, "RESULT %.6f%n", tookNs / NS_PER_S);
            }
        }
    }

    private static FiberQueue<Integer> queue(Fiber fiber, @Nullable Manager manager) {
        return manager == null ? fiber.queue(CAPACITY) : manager.queue(CAPACITY);
    }
}
