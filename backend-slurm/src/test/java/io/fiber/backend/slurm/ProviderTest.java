// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderTest {

    @TempDir
    Path directory;

    private final SlurmBackendProvider provider = new SlurmBackendProvider();

    private void install(List<String> programs) throws IOException {
        for (String program : programs) {
            Files.createFile(
                    directory.resolve(program),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        }
    }

    @Test
    void hostWithoutSlurmIsUnusableAndSaysWhatWasLookedFor() {
        Probe probe = provider.probe(Environment.of(Map.of("PATH", directory.toString()), Map.of()));

        assertThat(probe)
                .isInstanceOfSatisfying(
                        Probe.Unusable.class,
                        unusable -> assertThat(unusable.reason())
                                .contains("sbatch was not found on PATH=" + directory, "login node"));
    }

    @Test
    void loginNodeIsUsableAndAJobIsInside() throws IOException {
        install(List.of("sbatch", "squeue", "scancel", "scontrol"));

        assertThat(provider.probe(Environment.of(Map.of("PATH", directory.toString()), Map.of())))
                .isInstanceOf(Probe.Usable.class);
        assertThat(provider.probe(Environment.of(Map.of("PATH", directory.toString(), "SLURM_JOB_ID", "7"), Map.of())))
                .isEqualTo(new Probe.Inside("SLURM_JOB_ID=7"));
    }

    @Test
    void missingProgramIsNamedWithThePath() {
        Environment environment = Environment.of(Map.of("PATH", "/nowhere"), Map.of());

        assertThat(LocalCommands.notFound(SlurmBackendProvider.SHOWN, "sbatch", environment))
                .hasMessageContaining("FBR-132")
                .hasMessageContaining("'sbatch' is in no directory of PATH=/nowhere")
                .hasMessageContaining("module load slurm");
    }
}
