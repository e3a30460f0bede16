// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Leftover;
import io.fiber.tck.clause.Clause;
import io.fiber.tck.cluster.KitContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slurm that goes away while a session has jobs. {@link SlurmClusterTest} runs it as the user of a cluster. */
@Tag(Clause.WAITS)
class SlurmOutageKit {

    private static final Duration LIMIT = KitSession.LIMIT;
    private static final List<String> PROGRAMS = List.of("sbatch", "squeue", "scancel", "scontrol");

    @TempDir
    Path directory;

    private KitSession session(String variable, String value, Map<String, String> options) {
        Map<String, String> variables = new TreeMap<>(System.getenv());
        variables.put(variable, value);
        return new KitSession(directory, options, Environment.of(variables, Map.of()));
    }

    private static void put(Path programs) throws IOException {
        for (String program : PROGRAMS) {
            Path real = LocalCommands.find(program, Environment.system()).orElseThrow();
            Path file = Files.writeString(programs.resolve(program), "#!/bin/sh\nexec " + real + " \"$@\"\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void programsOfSlurmThatVanishAreNamedAndWhatBecameOfJobsIsLearnedWhenTheyAreBack() throws IOException {
        Path programs = Files.createDirectory(directory.resolve("programs"));
        put(programs);
        try (KitSession session = session("PATH", programs.toString(), Map.of())) {
            Job job = session.start(
                    KitSession.shell("echo here; until [ -e " + directory + "/go ]; do sleep 0.2; done; exit 3"));
            await().atMost(LIMIT).until(() -> job.state() == JobState.RUNNING);
            for (String program : PROGRAMS) {
                Files.delete(programs.resolve(program));
            }

            assertThatThrownBy(() -> session.start(KitSession.shell("true"), 1))
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith(
                            "FBR-132 Slurm cannot be used: the program 'sbatch' is in no directory of PATH=" + programs)
                    .hasMessageContaining("module load slurm");
            assertThat(job.state()).isEqualTo(JobState.RUNNING);
            assertThat(directory.resolve("shared").resolve("fiber-" + session.sessionId()))
                    .isDirectoryNotContaining("glob:**/job-1");

            put(programs);
            Files.createFile(directory.resolve("go"));
            assertThat(session.awaitEnd(job)).isEqualTo(JobTermination.exited(3));
        }
    }

    @Test
    void jobsThatWaitWhenASessionEndsWithoutAnAnswerAreCancelledWhenSlurmAnswersAgain() throws IOException {
        String settings = Files.readString(Path.of(System.getenv("SLURM_CONF")));
        Path configuration = Files.writeString(directory.resolve("slurm.conf"), settings);
        String id;
        String other;
        try (KitSession session =
                session("SLURM_CONF", configuration.toString(), Map.of("sbatch", "--begin=now+1hour"))) {
            id = session.start(KitSession.shell("true")).id();
            other = session.start(KitSession.shell("true")).id();
            Files.writeString(configuration, settings.replaceAll("(?m)^SlurmctldPort=.*$", "SlurmctldPort=9"));
        }
        assertThat(stateOf(id)).isEqualTo("PENDING");
        assertThat(directory.resolve("shared")).isEmptyDirectory();

        Files.writeString(configuration, settings);
        await("cancelled").atMost(LIMIT).until(() -> !stateOf(id).equals("PENDING"));
        await("cancelled, too").atMost(LIMIT).until(() -> !stateOf(other).equals("PENDING"));
    }

    /** As after a loss of power, when no reaper is left either. */
    @Test
    void whatASessionLeavesWhoseProgramIsGoneIsFoundAndRemoved() throws IOException {
        try (KitSession session = new KitSession(directory, Map.of("sbatch", "--begin=now+1hour"))) {
            String id = session.start(KitSession.shell("true"), 2).get(0).id();
            Path folder = directory.resolve("shared").resolve("fiber-" + session.sessionId());
            Path owner = folder.resolve(SharedFolder.OWNER);
            String earlierProcess = Files.readString(owner).replaceFirst("(io.fiber.owner=\\d+-\\d+-)", "$19");
            KitContext other = new KitContext(
                    session.sessionId() + "0", directory, session.context().options(), Environment.system());
            try (Backend backend = new SlurmBackendProvider().create(other)) {
                assertThat(backend.leftovers()).as("of a program that lives").isEmpty();
                Files.writeString(owner, earlierProcess);
                Leftover leftover = new Leftover(session.sessionId(), "1 folder, 2 jobs", Optional.empty());
                assertThat(backend.leftovers()).containsExactly(leftover);

                backend.remove(leftover);

                assertThat(backend.leftovers()).isEmpty();
                assertThat(folder).doesNotExist();
                assertThat(stateOf(id)).isEqualTo("CANCELLED");
            }
        }
    }

    private static String stateOf(String id) {
        return Cluster.run("squeue", "-h", "-r", "-t", "all", "-j", id, "-o", "%T")
                .strip();
    }
}
