// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests with JUnit that share a session and a pool, because each worker is a JVM to start. */
final class SquaresTest {
    private static Fiber fiber;
    private static Pool pool;

    @BeforeAll
    static void open() {
        fiber = Fiber.open();
        pool = fiber.pool(2);
    }

    @AfterAll
    static void close() {
        fiber.close();
    }

    static int square(int number) {
        return number * number;
    }

    @Test
    void squaresAreInOrder() {
        assertEquals(List.of(1, 4, 9), pool.map(SquaresTest::square, List.of(1, 2, 3)));
    }

    @Test
    void workersAreOtherProcesses() {
        long pid = pool.apply(() -> ProcessHandle.current().pid());
        assertNotEquals(ProcessHandle.current().pid(), pid);
    }
}
