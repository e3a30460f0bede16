// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.shell;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What users do with it. */
final class SessionTest {

    @Test
    void tasksOfAPoolRunInJobsOfTheBackend() {
        try (Fiber fiber = Fiber.builder().set("output", "none").open();
                Pool pool = fiber.pool(2)) {
            List<Integer> squares = pool.map(each -> each * each, List.of(1, 2, 3));
            assertThat(squares).containsExactly(1, 4, 9);
        }
    }
}
