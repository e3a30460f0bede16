// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.support.SessionOwner;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.Commands.Answer;
import io.fiber.backend.support.batch.Commands.Command;
import io.fiber.spec.Secret;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Leftover;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.tck.cluster.KitContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sessions leave in the queue and in the shared directory. A real shell runs programs that stand for Slurm's. */
class RemainsTest {

    private static final String SESSION = "abcdefghij01";

    @TempDir
    Path directory;

    private final List<List<String>> later = new ArrayList<>();
    private final Map<String, String> variables = new HashMap<>();
    private final Slurm slurm = new Slurm(this::run, Optional.empty(), SlurmFixture.COMMAND_LIMIT);
    private Path programs;
    private Path shared;

    @BeforeEach
    void makePrograms() throws IOException {
        programs = Files.createDirectory(directory.resolve("programs"));
        shared = Files.createDirectory(directory.resolve("shared"));
        Files.createFile(directory.resolve("queue"));
        put("scontrol", "exit 0");
        put("squeue", "cat '" + directory + "/queue'");
        put("scancel", "echo \"$@\" >>'" + directory + "/cancelled'");
    }

    private void put(String program, String line) throws IOException {
        Path file = Files.writeString(programs.resolve(program), "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private List<String> cancelled() throws IOException {
        Path file = directory.resolve("cancelled");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private Answer run(Command command) {
        return run(command.words());
    }

    private Answer run(List<String> words) {
        try {
            List<String> found = new ArrayList<>(words);
            found.set(0, programs.resolve(words.get(0)).toString());
            ProcessBuilder builder = new ProcessBuilder(found)
                    .redirectError(directory.resolve("errors").toFile());
            builder.environment().putAll(variables);
            builder.environment().merge("PATH", programs.toString(), (path, own) -> own + ":" + path);
            Process process = builder.start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Answer(process.waitFor(), output, Files.readString(directory.resolve("errors")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private SlurmBackend backend(Commands commands) {
        KitContext context = new KitContext(
                SESSION,
                directory,
                SlurmFixture.options(Map.of("directory", shared.toString(), "steps", "false")),
                Environment.of(Map.of(), Map.of()));
        return new SlurmBackend(
                context,
                new ScriptedHost(commands, shared, later),
                Optional.empty(),
                SiteOptions.of(context.options()));
    }

    @Test
    void allThatWaitsWhenItsEndIsNotConfirmedIsCancelledLater() throws IOException {
        SlurmBackend backend = backend(command -> {
            if (command.program().equals("squeue")) {
                throw new BackendUnavailableException("FBR-130 no answer");
            }
            return new Answer(0, command.program().equals("sbatch") ? "1\n" : "", "");
        });
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true"))).build();
        backend.submit(Submission.of(spec, "worker-0", Secret.empty()), event -> {});
        backend.submit(Submission.of(spec, "worker-1", Secret.empty()), event -> {});
        backend.close();
        Files.writeString(
                directory.resolve("queue"),
                "1 fiber-" + SESSION + "-0\n2 fiber-" + SESSION + "-1\n3 fiber-abcdefghij02-0\n4 other\n");

        assertThat(later).hasSize(2).first().asString().startsWith("[rm, -rf, ");
        assertThat(run(later.get(1)).exitCode()).isZero();
        assertThat(cancelled()).containsExactly("--quiet 1 2");

        Files.writeString(directory.resolve("queue"), "4 other\n");
        assertThat(run(later.get(1)).exitCode()).isZero();
        put("squeue", "exit 1");
        assertThat(run(later.get(1)).exitCode()).as("to be tried again").isNotZero();
        assertThat(cancelled()).hasSize(1);
    }

    /** A profile's would have scancel ask for each job without an end, or leave out those of another partition. */
    @Test
    void variableThatStandsForAnOptionDoesNotReachWhatCancels() throws IOException {
        for (String prefix : List.of("SLURM", "SBATCH", "SQUEUE", "SCANCEL", "SACCT", "SRUN")) {
            variables.put(prefix + "_PARTITION", "two words\nSLURM_x-y=1");
            assertThat(SlurmBackendProvider.isOfSlurm(prefix + "_PARTITION")).isTrue();
        }
        variables.put("SLURM_CONF", "/etc/slurm.conf");
        put("squeue", "echo 1 fiber-" + SESSION + "-0; env | sed 's/^/squeue /' >>'" + directory + "/seen'");
        put("scancel", "env | sed 's/^/scancel /' >>'" + directory + "/seen'");

        assertThat(run(slurm.cancelCommand(SESSION))).isEqualTo(new Answer(0, "", ""));

        assertThat(Files.readAllLines(directory.resolve("seen")))
                .filteredOn(line -> line.contains("_PARTITION") || line.contains("SLURM_CONF"))
                .containsExactly("squeue SLURM_CONF=/etc/slurm.conf", "scancel SLURM_CONF=/etc/slurm.conf");
    }

    private void folder(String session, String owner) throws IOException {
        Path folder = Files.createDirectory(shared.resolve("fiber-" + session));
        Files.writeString(folder.resolve("owner"), "io.fiber.host=login1,io.fiber.owner=" + owner + "\n");
        Files.createDirectory(folder.resolve("job-0"));
        Files.writeString(folder.resolve("job-0/0.bootstrap"), "secret");
    }

    /** Returns the label of an earlier process that had the number of this one. */
    private static String gone(String own) {
        String[] parts = own.split("-", 3);
        return parts[0] + "-" + parts[1] + "-1" + parts[2];
    }

    /** The program itself was a job, on a node that this host cannot look into, and Slurm ended that job for its time limit. */
    @Test
    void sessionIsOverWhenTheJobOfItsProgramHasEnded() throws IOException {
        put("scontrol", "echo 'ClusterName = blue'");
        folder("insidejob001", "1-1-1-other1");
        folder("insidejob002", "1-1-1-other2");
        folder("insidejob003", "1-1-1-other3");
        Files.writeString(shared.resolve("fiber-insidejob001/job"), "77 blue\n");
        Files.writeString(shared.resolve("fiber-insidejob002/job"), "6 blue\n");
        Files.writeString(shared.resolve("fiber-insidejob003/job"), "77 green\n");
        Files.writeString(directory.resolve("queue"), "6 RUNNING other\n");
        Optional<String> unseen = Optional.of("its program, on login1, cannot be seen from here");

        SlurmBackend backend = backend(this::run);
        try {
            assertThat(backend.leftovers())
                    .containsExactly(
                            new Leftover("insidejob001", "1 folder", Optional.empty()),
                            new Leftover("insidejob002", "1 folder", unseen),
                            new Leftover("insidejob003", "1 folder", unseen));
        } finally {
            backend.close();
        }
    }

    /** Without its program a job that waits would wait for days, and one that runs ends soon. */
    @Test
    void foldersOfSessionsWhoseProgramIsGoneAreFoundAndRemovedWithTheirJobs() throws IOException {
        String own = SessionOwner.labels().getOrDefault(SessionOwner.OWNER, "");
        folder("crashed00001", gone(own));
        folder("elsewhere001", "1-1-1-other");
        folder("elsewhere002", "1-1-1-other");
        folder("lives0000001", own);
        folder("run000000001", gone(own));
        Files.createFile(shared.resolve("fiber-run000000001/run"));
        Files.createDirectory(shared.resolve("fiber-begins00001"));
        Files.writeString(directory.resolve("queue"), """
                1 PENDING fiber-crashed00001-0
                2 RUNNING fiber-crashed00001-1
                3 PENDING fiber-elsewhere001-0
                4 RUNNING fiber-elsewhere002-0
                5 RUNNING fiber-nofolder0001-0
                6 RUNNING other
                """);

        SlurmBackend backend = backend(this::run);
        try {
            assertThat(backend.leftovers())
                    .containsExactly(
                            new Leftover("crashed00001", "1 folder, 2 jobs", Optional.empty()),
                            new Leftover(
                                    "elsewhere001",
                                    "1 folder, 1 job",
                                    Optional.of("its program, on login1, cannot be seen from here")));

            Files.writeString(
                    directory.resolve("queue"),
                    "17 fiber-crashed00001-0\n18 fiber-crashed00001-1\n19 fiber-elsewhere001-0\n");
            put("scancel", "exit 1");
            Leftover crashed = backend.leftovers().get(0);
            assertThatThrownBy(() -> backend.remove(crashed)).isInstanceOf(BackendUnavailableException.class);
            assertThat(shared.resolve("fiber-crashed00001")).isDirectory();

            put("scancel", "echo \"$@\" >>'" + directory + "/cancelled'");
            backend.remove(crashed);
        } finally {
            backend.close();
        }
        assertThat(cancelled()).containsExactly("--quiet 17 18");
        assertThat(shared)
                .isDirectoryNotContaining("glob:**/fiber-crashed00001")
                .isDirectoryNotContaining("glob:**/fiber-" + SESSION)
                .isDirectoryContaining("glob:**/fiber-elsewhere001");
    }
}
