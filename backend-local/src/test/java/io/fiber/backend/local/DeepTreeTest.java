// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberQueue;
import io.fiber.function.RemoteRunnable;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Processes that start processes, as deep as it goes. */
@Tag("soak")
class DeepTreeTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);

    /** Eight JVMs and their sessions take half a minute of processor time. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void theEighthLevelWorksAndCanStartNothing() {
        try (Fiber fiber = LocalFiber.open()) {
            FiberQueue<String> words = fiber.queue();
            int code = fiber.process(below(7, words)).join();
            assertThat(words.poll(LIMIT).orElseThrow())
                    .isEqualTo("FBR-425 Process 0.1.1.1.1.1.1.1.1 is 8 levels below the first process of its program."
                            + " At this depth, a process cannot start others. Start them from a process further up.");
            assertThat(words.poll(LIMIT).orElseThrow()).startsWith("FBR-425 ");
            assertThat(code).isZero();
        }
    }

    private static RemoteRunnable below(int levels, FiberQueue<String> words) {
        return () -> {
            Fiber here = Fiber.current();
            if (levels == 0) {
                words.put(refusal(() -> here.process(() -> {})));
                words.put(refusal(() -> here.pool(1)));
            } else {
                assertThat(here.process(below(levels - 1, words)).join()).isZero();
            }
        };
    }

    private static String refusal(Runnable start) {
        try {
            start.run();
            return "was not refused";
        } catch (FiberException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
