// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class LongCloseTest {

    private static final String REST =
            " If the try block has thrown an exception, it appears only afterwards. Call shutdownNow() to end without"
                    + " waiting.";

    private final List<String> events = new ArrayList<>();

    /** Closes what ends after so long, as told by the waits alone. */
    private void close(Duration end) {
        AtomicReference<Duration> left = new AtomicReference<>(end);
        new LongClose("pool 'sweep'", () -> "a call.", () -> events.add("look"))
                .await(
                        limit ->
                                left.updateAndGet(before -> before.minus(limit)).compareTo(Duration.ZERO) <= 0,
                        events::add);
    }

    @Test
    void closeThatEndsSoonSaysNothing() {
        close(Duration.ofMillis(4_900));
        assertThat(events).containsExactly("look", "look");
    }

    @Test
    void closeSaysAfterFiveSecondsAndEveryMinuteAgainWhatItWaitsFor() {
        close(Duration.ofSeconds(130));
        assertThat(events.stream().filter(event -> !event.equals("look")))
                .containsExactly(
                        "FBR-409 close() of pool 'sweep' has waited 5 s for a call." + REST,
                        "FBR-409 close() of pool 'sweep' has waited 65 s for a call." + REST,
                        "FBR-409 close() of pool 'sweep' has waited 125 s for a call." + REST);
        assertThat(events.stream().filter(event -> event.equals("look"))).hasSize(7);
    }
}
