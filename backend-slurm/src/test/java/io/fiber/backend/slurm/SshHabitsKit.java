// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.fiber.backend.slurm.ssh.OwnSshd;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Accounts that talk, have another shell, or cannot be written to, with real servers. {@link SshClusterTest} runs it as the
 * user of a cluster.
 */
class SshHabitsKit {

    @TempDir
    Path directory;

    private Path home = Path.of("");

    @BeforeEach
    void makeHome() throws IOException {
        home = Files.createDirectory(directory.resolve("home"));
    }

    private OwnSshd sshd(String... settings) throws IOException {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("SetEnv HOME=" + home + " SLURM_CONF=" + System.getenv("SLURM_CONF"));
        return OwnSshd.start(directory.resolve("sshd"), all);
    }

    private void assertThatAJobRuns(Map<String, String> options) {
        try (KitSession session = new KitSession(directory, options)) {
            JobSpec.Builder job = KitSession.shell("exit 5");
            assertThat(session.awaitEnd(session.start(job, 2).get(1))).isEqualTo(JobTermination.exited(5));
        }
        assertThat(directory.resolve("shared")).isEmptyDirectory();
    }

    private String openingFails(Map<String, String> options) {
        Throwable failure = KitSession.failureOfOpening(directory, options);
        assertThat(failure).isInstanceOf(BackendException.class);
        return String.valueOf(failure.getMessage());
    }

    @Test
    void whatStartUpFilesPrintIsNoAnswer() throws IOException {
        Files.writeString(
                home.resolve(".bashrc"), "echo Welcome; echo 4711; echo there; echo Maintenance on Monday >&2\n");
        Files.writeString(home.resolve(".bash_profile"), "printf 'You have mail.'\n");
        try (OwnSshd sshd = sshd()) {
            assertThatAJobRuns(sshd.options());
        }
    }

    @Test
    void jobsHaveTheLanguageOfALoginShell() throws IOException {
        Files.writeString(home.resolve(".bash_profile"), "export LANG=C.UTF-8 LC_PAPER=de_DE.UTF-8\n");
        try (OwnSshd sshd = sshd();
                KitSession session = new KitSession(directory, sshd.options())) {
            JobSpec.Builder spec = KitSession.shell("echo language=$LANG,$LC_PAPER,$LC_ALL");
            Job job = session.start(spec);
            assertThat(session.awaitEnd(job)).isEqualTo(JobTermination.exited(0));
            assertThat(job.logs(10)).containsExactly("language=C.UTF-8,de_DE.UTF-8,");
        }
    }

    @Test
    void startUpFileThatEndsTheShellIsNamedWithWhatItSaid() throws IOException {
        Files.writeString(home.resolve(".bashrc"), "echo No terminal, no shell.\nexit 4\n");
        try (OwnSshd sshd = sshd()) {
            assertThat(openingFails(sshd.options()))
                    .startsWith("FBR-210 The login node '127.0.0.1' (127.0.0.1:")
                    .contains("instead it ended with 4 and said: 'No terminal, no shell.'", "~/.bashrc");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "tcsh", "fish"})
    void jobsRunWhateverTheShellOfTheAccountIs(String shell) throws IOException {
        assumeThat(LocalCommands.find(shell, Environment.system()))
                .as("the shell " + shell + " of this host")
                .isPresent();
        Path login = Files.writeString(directory.resolve("login"), """
                #!/bin/sh
                exec %s -c "$SSH_ORIGINAL_COMMAND"
                """.formatted(shell));
        Files.setPosixFilePermissions(login, PosixFilePermissions.fromString("rwx------"));
        try (OwnSshd sshd = sshd("ForceCommand " + login)) {
            assertThatAJobRuns(sshd.options());
        }
    }

    @Test
    void homeThatCannotBeEnteredIsSaid() throws IOException {
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rw-------"));
        try (OwnSshd sshd = sshd()) {
            Map<String, String> options = sshd.options();
            options.put(SiteOptions.DIRECTORY, ".fiber/slurm");

            assertThat(openingFails(options))
                    .startsWith("FBR-133 The folder '" + home + "/.fiber/slurm/fiber-kit")
                    .contains(
                            "' for scripts and output",
                            "the login node '127.0.0.1'",
                            "Permission denied",
                            "Set fiber.slurm.directory");
        } finally {
            Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void homeWithoutRoomIsSaidAndNothingIsStarted() throws IOException {
        Path full = Hands.smallDisk(Path.of(System.getProperty("java.io.tmpdir")));
        Hands.ask(Hands.Wish.MAKE_SMALL_DISK);
        try (OwnSshd sshd = sshd()) {
            Map<String, String> options = sshd.options();
            options.put(SiteOptions.DIRECTORY, full.toString());
            try (KitSession session = new KitSession(directory, options)) {
                JobSpec.Builder job = JobSpec.builder(new Program.Command(List.of("true")));
                Path rest = full.resolve("rest");
                assertThatThrownBy(() -> Files.write(rest, new byte[1 << 20])).isInstanceOf(IOException.class);

                assertThatThrownBy(() -> session.start(job, 1))
                        .isInstanceOf(BackendException.class)
                        .hasMessageStartingWith("FBR-133")
                        .hasMessageContaining("the login node '127.0.0.1'")
                        .hasMessageContaining("No space left on device")
                        .hasMessageContaining("Free some space");
                assertThat(session.calls("sbatch")).isZero();
                Files.delete(rest);
            }
            assertThat(full).isEmptyDirectory();
        } finally {
            Hands.ask(Hands.Wish.REMOVE_SMALL_DISK);
        }
    }

    @Test
    void filesOfAClassPathAreSentOnceForEachContent() throws IOException {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            entries.add(Files.writeString(directory.resolve("part " + i % 19 + "-" + i + ".jar"), "content " + i % 19)
                    .toString());
        }
        JobSpec job = JobSpec.builder(
                        new Program.Java(Optional.empty(), List.of(), entries, List.of(), "example.Main", List.of()))
                .build();
        try (OwnSshd sshd = sshd();
                KitSession session = new KitSession(directory, sshd.options())) {
            Program.Java program = (Program.Java) session.staged(job).program();

            for (int i = 0; i < entries.size(); i++) {
                assertThat(Path.of(program.classPath().get(i)))
                        .hasFileName("part " + i % 19 + "-" + i + ".jar")
                        .hasContent("content " + i % 19);
            }
            Path sent = directory.resolve("shared").resolve("class-path");
            assertThat(sent).isDirectoryNotContaining("glob:**/.part*").isDirectoryContaining("glob:**");
            Files.writeString(Path.of(program.classPath().get(0)), "not sent again");
            assertThat(session.staged(job)).isEqualTo(session.staged(job));
            assertThat(Path.of(program.classPath().get(0))).hasContent("not sent again");
            assertThat(sshd.logins()).isOne();
        }
    }

    @Test
    void configurationThatIncludesOthersIsReadAsSshReadsIt() throws IOException {
        String text = Files.readString(SshFixture.directoryOfLogin().resolve("config"));
        Path hosts =
                Files.writeString(directory.resolve("hosts"), text.replace("Host login", "Match originalhost login"));
        Path config = Files.writeString(
                directory.resolve("config"), "Include " + hosts + "\nMatch user nobody\n    Port 1\n");

        try (KitSession session = new KitSession(directory, SshFixture.login(config))) {
            assertThat(session.run("id", "-un").output().strip()).isEqualTo(System.getProperty("user.name"));
        }
    }
}
