// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import org.junit.jupiter.api.Test;

final class SessionBuilderTest {

    private static final class Named implements BackendProvider {
        @Override
        public String name() {
            return "named";
        }

        @Override
        public Probe probe(Environment environment) {
            return new Probe.Usable("it is a test");
        }

        @Override
        public Backend create(BackendContext context) {
            throw new IllegalStateException();
        }
    }

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

    @Test
    void spellingsOfOneKeyAreOneChoice() {
        FiberBuilder builder = Fiber.builder()
                .backend("local")
                .transport("aeron")
                .set("lease", "30s")
                .set("fiber.cds", "false");

        assertThatThrownBy(() -> builder.set("fiber.backend", "slurm"))
                .hasMessage("FBR-306 backend was already set to local; it can be set once.");
        assertThatThrownBy(() -> builder.set("fiber.transport", "socket"))
                .hasMessage("FBR-306 fiber.transport was already set to aeron; it can be set once.");
        assertThatThrownBy(() -> builder.set("fiber.lease", "60s"))
                .hasMessage("FBR-306 fiber.lease was already set to 30s; it can be set once.");
        assertThatThrownBy(() -> builder.set("cds", "true"))
                .hasMessage("FBR-306 cds was already set to false; it can be set once.");
    }

    @Test
    void nameOfABackendAfterAProviderIsRefused() {
        FiberBuilder builder = Fiber.builder().backend(new Named());

        assertThatThrownBy(() -> builder.set("backend", "slurm"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("FBR-306 backend was already set to named; it can be set once.");
    }
}
