// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;

/** Another process puts two numbers into a queue; this one adds them. */
public final class BasicQueue {
    private BasicQueue() {}

    static void putNumbers(FiberQueue<Integer> queue) {
        queue.put(42);
        queue.put(21);
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open()) {
            FiberQueue<Integer> queue = fiber.queue();
            FiberProcess writer = fiber.process(() -> putNumbers(queue));
            System.out.println(queue.take() + queue.take());
            writer.join();
        }
    }
}
