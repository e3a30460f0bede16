// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.pbs;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.List;

/** A program of a user, who has the backend on the class path and PBS on the PATH. */
final class Squares {

    private Squares() {}

    public static void main(String[] arguments) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            List<Integer> squares = pool.map(each -> each * each, List.of(1, 2, 3));
            System.out.println("squares " + squares);
        }
    }
}
