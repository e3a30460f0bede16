// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LongCloseTest {

    private final List<String> events = new ArrayList<>();

    /** Ends after so long, as told by the waits alone. */
    private final class After implements LongClose.Ending {
        private Duration left;

        After(Duration end) {
            left = end;
        }

        @Override
        public boolean await(Duration limit) {
            left = left.minus(limit);
            return left.isZero() || left.isNegative();
        }

        @Override
        public void lookForAbandoned() {
            events.add("look");
        }

        @Override
        public String waitsFor() {
            return "a call.";
        }
    }

    private void close(Duration end) {
        LongClose.await("pool 'sweep'", new After(end), events::add);
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
                        "FBR-409 close() of pool 'sweep' has waited 5 s for a call. terminate() ends it without waiting.",
                        "FBR-409 close() of pool 'sweep' has waited 65 s for a call. terminate() ends it without waiting.",
                        "FBR-409 close() of pool 'sweep' has waited 125 s for a call. terminate() ends it without waiting.");
        assertThat(events.stream().filter(event -> event.equals("look"))).hasSize(7);
    }
}
