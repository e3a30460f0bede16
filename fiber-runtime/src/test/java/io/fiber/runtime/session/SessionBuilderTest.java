// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.ConfigurationException;
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
    void lastValueOfASettingCountsInAnySpelling() {
        FiberBuilder builder = Fiber.builder()
                .backend("local")
                .set("fiber.backend", "nowhere")
                .set("lease", "30s")
                .set("fiber.lease", "soon");

        assertThatThrownBy(builder::open)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'soon'")
                .hasMessageNotContaining("30s");
        builder.set("lease", "30s");
        assertThatThrownBy(builder::open)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'nowhere'");
    }

    @Test
    void providerReplacesANameAndANameReplacesAProvider() {
        FiberBuilder builder = Fiber.builder().backend("nowhere").backend(new Named());

        // The backend is chosen first.
        assertThatThrownBy(builder::open).hasMessageStartingWith("FBR-111 No transport on the class path.");
        builder.backend("nowhere");
        assertThatThrownBy(builder::open).hasMessageContaining("'nowhere'");
    }
}
