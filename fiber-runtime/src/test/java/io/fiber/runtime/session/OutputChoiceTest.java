// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.JobOutput;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The default of {@code output} suits the backend; what was asked for is left to it. */
final class OutputChoiceTest {

    private record Offering(Set<Capability> capabilities) implements BackendProvider {
        @Override
        public String name() {
            return "offering";
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

    private static JobOutput output(Map<String, String> settings, Capability... offered) {
        FiberConfig config = FiberConfig.load(ConfigSources.system(settings), KnownKeys.of(List.of(), Set.of()));
        return WorkerSpecs.output(config, new Offering(Set.of(offered)));
    }

    @Test
    void defaultIsTheConsoleWhereThereIsOne() {
        assertThat(output(Map.of(), Capability.CONSOLE)).isInstanceOf(JobOutput.Console.class);
        assertThat(output(Map.of(), Capability.LOGS)).isInstanceOf(JobOutput.None.class);
    }

    @Test
    void consoleThatWasAskedForIsRefusedByTheBackendAndNotReplaced() {
        assertThat(output(Map.of("output", "console"), Capability.LOGS)).isInstanceOf(JobOutput.Console.class);
    }
}
