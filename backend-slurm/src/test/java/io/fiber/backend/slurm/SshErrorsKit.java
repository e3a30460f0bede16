// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.slurm.ssh.OwnSshd;
import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everything that can be wrong with a login node, with a real one. {@link SshClusterTest} runs it as the user of a cluster. */
class SshErrorsKit {

    @TempDir
    Path directory;

    private final Path login = SshFixture.directoryOfLogin();
    private String host = "";
    private String port = "";

    @BeforeEach
    void readAddress() throws IOException {
        String config = Files.readString(login.resolve("config"));
        host = SshFixture.setting(config, "HostName");
        port = SshFixture.setting(config, "Port");
    }

    private Map<String, String> options(Map<String, String> more) {
        Map<String, String> options = new TreeMap<>(SshFixture.login(login.resolve("config")));
        options.putAll(more);
        return options;
    }

    private Path newKey(String name, String phrase) {
        Path key = directory.resolve(name);
        Cluster.run("ssh-keygen", "-q", "-t", "ed25519", "-N", phrase, "-f", key.toString());
        return key;
    }

    /** A configuration without a key. */
    private Path config(String more) throws IOException {
        String text = Files.readString(login.resolve("config"))
                .lines()
                .filter(line -> !line.contains("IdentityFile"))
                .reduce("", (all, line) -> all + line + "\n");
        return Files.writeString(directory.resolve("config"), text + more + "\n");
    }

    private String openingFails(Map<String, String> options) {
        Throwable failure = KitSession.failureOfOpening(directory, options);
        assertThat(failure).isInstanceOf(BackendException.class);
        return String.valueOf(failure.getMessage());
    }

    @Test
    void unknownHostKeyIsNotTrustedUntilTheCommandWasRunThatTheErrorNames() throws IOException {
        Path known = Files.createFile(directory.resolve("known"));
        Map<String, String> options = options(Map.of(SshOptions.KNOWN_HOSTS, known.toString()));

        String message = openingFails(options);

        assertThat(message)
                .startsWith("FBR-151 The login node 'login' (" + host + ":" + port + ") is not known: No ")
                .contains(
                        "host key is known for [" + host + "]:" + port,
                        ", in " + known + ".",
                        "Fiber trusts no host by itself.");
        String begin = "confirm it: ";
        String command = message.substring(message.indexOf(begin) + begin.length(), message.indexOf(". Fiber trusts"));
        assertThat(known).isEmptyFile();
        Path confirming = Files.writeString(directory.resolve("confirming"), "#!/bin/sh\necho yes\n");
        Files.setPosixFilePermissions(confirming, PosixFilePermissions.fromString("rwx------"));
        Cluster.run("env", "SSH_ASKPASS=" + confirming, "SSH_ASKPASS_REQUIRE=force", "sh", "-c", command);
        new KitSession(directory, options).close();
    }

    private String fingerprint() {
        return Cluster.run("ssh-keygen", "-lf", login.resolve("host_key.pub").toString())
                .split(" ", -1)[1];
    }

    @Test
    void changedHostKeyIsNeverTrusted() throws IOException {
        String other = Files.readString(Path.of(newKey("other", "") + ".pub"));
        Path known = Files.writeString(directory.resolve("known"), "[" + host + "]:" + port + " " + other);

        assertThat(openingFails(options(Map.of(SshOptions.KNOWN_HOSTS, known.toString()))))
                .startsWith("FBR-152 The login node 'login' (" + host + ":" + port + ") shows the host key ED25519 "
                        + fingerprint())
                .contains("is not the one that '" + known + "' has for [" + host + "]:" + port, "Nothing was sent.")
                .contains("ssh-keygen -R '[" + host + "]:" + port + "' -f " + known);
    }

    @Test
    void wrongKeyIsNamedWithTheUser() throws IOException {
        Path wrong = newKey("wrong", "");

        assertThat(openingFails(
                        options(Map.of(SshOptions.CONFIG, config("").toString(), SshOptions.KEY, wrong.toString()))))
                .startsWith("FBR-153 The login node 'login' (" + host + ":" + port + ") refuses the user '"
                        + System.getProperty("user.name") + "': ")
                .contains("Permission denied (publickey", "ssh-copy-id", "fiber.slurm.ssh-key")
                .contains("ssh -v -o BatchMode=yes -F ", " -o 'IdentityFile=\"" + wrong + "\"' login");
    }

    @Test
    void keyWithAPassphraseIsNotAskedFor() throws IOException {
        Path locked = newKey("locked", "a passphrase");

        assertThat(openingFails(
                        options(Map.of(SshOptions.CONFIG, config("").toString(), SshOptions.KEY, locked.toString()))))
                .startsWith("FBR-153")
                .contains("put a key with a passphrase into an agent (ssh-add)");
    }

    @Test
    void loginNodeBehindAnotherHostIsReached() throws IOException {
        String text = Files.readString(login.resolve("config"));
        Path config = Files.writeString(
                directory.resolve("config"),
                text + text.replace("Host login", "Host behind") + "    ProxyJump login\n");
        try (KitSession session =
                new KitSession(directory, Map.of(SshOptions.HOST, "behind", SshOptions.CONFIG, config.toString()))) {
            JobSpec.Builder job = KitSession.shell("exit 5");
            assertThat(session.awaitEnd(session.start(job))).isEqualTo(JobTermination.exited(5));
        }
    }

    @Test
    void hostThatDoesNotAnswerIsUnavailable() {
        Throwable failure = KitSession.failureOfOpening(directory, options(Map.of(SshOptions.PORT, "1")));

        assertThat(failure)
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessageStartingWith("FBR-150 The login node 'login' (" + host + ":1) cannot be reached: ")
                .hasMessageContaining("Connection refused")
                .hasMessageContaining("Running jobs go on")
                .hasMessageContaining("ssh -v -F " + login.resolve("config") + " -p 1 login");
    }

    @Test
    void missingSbatchIsSaidWithThePathOfALoginShell() throws IOException {
        Path home = Files.createDirectory(directory.resolve("home"));
        Files.writeString(home.resolve(".bash_profile"), "echo Welcome\nexport PATH=/nowhere\n");
        try (OwnSshd sshd = OwnSshd.start(directory.resolve("sshd"), List.of("SetEnv HOME=" + home))) {
            assertThat(openingFails(sshd.options()))
                    .startsWith("FBR-155 The program 'sbatch' is in no directory of PATH=/nowhere on the login node"
                            + " '127.0.0.1'")
                    .contains("~/.bash_profile", "module load slurm");
        }
    }

    private static JobSpec.Builder javaJob(Path classPath) {
        return JobSpec.builder(new Program.Java(
                Optional.empty(), List.of(), List.of(classPath.toString()), List.of(), "example.Main", List.of()));
    }

    @Test
    void fullDirectoryIsSaidWithWhatIsFree() throws IOException {
        Path entry = Files.write(directory.resolve("data.jar"), new byte[1 << 20]);
        Path shared =
                Hands.smallDisk(Path.of(System.getProperty("java.io.tmpdir"))).resolve("shared");
        Path files = shared.resolve("class-path");
        Hands.ask(Hands.Wish.MAKE_SMALL_DISK);
        try {
            try (KitSession session =
                    new KitSession(directory, options(Map.of(SiteOptions.DIRECTORY, shared.toString())))) {
                assertThatThrownBy(() -> session.start(javaJob(entry), 1))
                        .isInstanceOf(BackendUnavailableException.class)
                        .hasMessageStartingWith(
                                "FBR-156 The class path (1 files) cannot be put on the login node 'login'")
                        .hasMessageContaining("into '" + files + "'")
                        .hasMessageContaining("says: tar: ")
                        .hasMessageContaining("(0 KiB are free there)")
                        .hasMessageContaining("quota -s")
                        .hasMessageContaining("fiber.slurm.directory");
                assertThat(session.calls("sbatch")).isZero();
            }
            assertThat(files).isEmptyDirectory();
            assertThat(shared).isDirectoryNotContaining("glob:**/fiber-*");
        } finally {
            Hands.ask(Hands.Wish.REMOVE_SMALL_DISK);
        }
    }

    @Test
    void entryThatCannotBeReadIsNamed() throws IOException {
        Path entry = Files.createFile(directory.resolve("closed.jar"));
        Files.setPosixFilePermissions(entry, PosixFilePermissions.fromString("---------"));
        try (KitSession session = new KitSession(directory, options(Map.of()))) {
            assertThatThrownBy(() -> session.start(javaJob(entry), 1))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessageStartingWith("FBR-159 The entry '" + entry + "' of the class path cannot be sent");
        }
    }
}
