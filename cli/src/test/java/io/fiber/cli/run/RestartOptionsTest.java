// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class RestartOptionsTest {

    @Command
    private static final class WithOptions {
        @Mixin
        private RestartOptions restarts = new RestartOptions();
    }

    /** A platform with this capability alone. */
    private record Offering(Capability only) implements BackendProvider {

        @Override
        public String name() {
            return "offering";
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(only);
        }

        @Override
        public Probe probe(Environment environment) {
            return new Probe.Usable("it says so");
        }

        @Override
        public Backend create(BackendContext context) {
            throw new UnsupportedOperationException();
        }
    }

    private static RestartOptions parsed(String... words) {
        WithOptions command = new WithOptions();
        new CommandLine(command).parseArgs(words);
        return command.restarts;
    }

    private static int restartsOf(RestartOptions options, Capability offered) {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("sweep"))).build();
        return options.byPlatform(new Attached.Named(spec, "sweep"), new Offering(offered))
                .spec()
                .restarts();
    }

    @Test
    void platformThatStartsProgramsAgainGetsTheNumber() {
        assertThat(restartsOf(parsed("--restarts", "3"), Capability.RESTARTS)).isEqualTo(3);
    }

    @Test
    void otherPlatformsAreNotAskedForRestarts() {
        assertThat(restartsOf(parsed(), Capability.LOGS)).isZero();
        assertThat(restartsOf(parsed("--restarts=0"), Capability.LOGS)).isZero();
    }
}
