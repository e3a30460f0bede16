// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.BackendException;
import io.fiber.tck.cluster.KitContext;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
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

    /** Loaded anew where SSH's library is missing. */
    static final class WithoutTheLibrary implements Supplier<String> {
        @Override
        public String get() {
            KitContext context = new KitContext(
                    "abcdefghij01",
                    Path.of(""),
                    SlurmFixture.options(Map.of(SshOptions.HOST, "login")),
                    Environment.system());
            return catchThrowable(() -> new SlurmBackendProvider().create(context))
                    .toString();
        }
    }

    @Test
    void libraryOfSshThatIsMissingIsNamed() throws Exception {
        List<URL> others = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!Path.of(entry).getFileName().toString().startsWith("jsch-")) {
                others.add(Path.of(entry).toUri().toURL());
            }
        }
        try (URLClassLoader loader =
                new URLClassLoader(others.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Constructor<?> made =
                    loader.loadClass(WithoutTheLibrary.class.getName()).getDeclaredConstructor();
            made.setAccessible(true);

            assertThat(((Supplier<?>) made.newInstance()).get())
                    .isEqualTo(BackendException.class.getName()
                            + ": FBR-158 Option 'fiber.slurm.ssh-host' is 'login', and SSH needs the library"
                            + " com.github.mwiede:jsch, which is not on the class path. Add it;"
                            + " fiber-backend-slurm brings it when a build tool resolves its dependencies.");
        }
    }
}
