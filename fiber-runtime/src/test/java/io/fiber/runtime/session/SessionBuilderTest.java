// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

final class SessionBuilderTest {
    @Test
    void secondSetIsRefusedWithTheFirstValue() {
        FiberBuilder builder = Fiber.builder()
                .backend("local")
                .transport("aeron")
                .lease(Duration.ofSeconds(5))
                .set("fiber.slurm.partition", "short");

        assertThatThrownBy(() -> builder.backend("slurm"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("FBR-306 backend was already set to local; it can be set once.");
        assertThatThrownBy(() -> builder.transport("tcp"))
                .hasMessage("FBR-306 transport was already set to aeron; it can be set once.");
        assertThatThrownBy(() -> builder.lease(Duration.ofSeconds(6)))
                .hasMessage("FBR-306 lease was already set to PT5S; it can be set once.");
        assertThatThrownBy(() -> builder.set("fiber.slurm.partition", "long"))
                .hasMessage("FBR-306 fiber.slurm.partition was already set to short; it can be set once.");
    }

    @Test
    void leaseThatIsNotAboveZeroOrBeyondAllTimeIsRefused() {
        assertThatThrownBy(() -> Fiber.builder().lease(Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "FBR-305 lease is PT0S; expected a time above 0 and below 292 years, for example Duration.ofSeconds(20).");
        assertThatThrownBy(() -> Fiber.builder().lease(ChronoUnit.FOREVER.getDuration()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("below 292 years");
    }
}
