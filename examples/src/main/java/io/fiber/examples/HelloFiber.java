// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Fiber;
import io.fiber.FiberProcess;

/** One process on whatever backend is on the class path. */
public final class HelloFiber {
    private HelloFiber() {}

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open()) {
            FiberProcess hello = fiber.processBuilder(() -> System.out.println("Hello, Fiber!"))
                    .name("hello")
                    .start();
            System.out.println("Process '" + hello.name() + "' ended with exit code " + hello.join());
        }
    }
}
