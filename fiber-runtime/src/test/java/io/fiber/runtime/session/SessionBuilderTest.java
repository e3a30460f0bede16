// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import org.junit.jupiter.api.Test;

final class SessionBuilderTest {
    @Test
    void secondSetIsRefusedWithTheFirstValue() {
        FiberBuilder builder =
                Fiber.builder().backend("local").transport("aeron").set("fiber.slurm.partition", "short");

        assertThatThrownBy(() -> builder.backend("slurm"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("FBR-306 backend was already set to local; it can be set once.");
        assertThatThrownBy(() -> builder.transport("tcp"))
                .hasMessage("FBR-306 transport was already set to aeron; it can be set once.");
        assertThatThrownBy(() -> builder.set("fiber.slurm.partition", "long"))
                .hasMessage("FBR-306 fiber.slurm.partition was already set to short; it can be set once.");
    }
}
