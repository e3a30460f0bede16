// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.slurm.Cluster;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a login node does with a real server, whose settings tests change. */
abstract class RealSshdKit extends SshHostKit {

    @Override
    final OwnSshd sshd() throws IOException {
        return sshd(new String[0]);
    }

    final OwnSshd sshd(String... settings) throws IOException {
        OwnSshd.assumePossible();
        return OwnSshd.start(directory.resolve("sshd"), List.of(settings));
    }

    @Override
    final String newHostKey(Path file) throws IOException {
        return newKey(file, "");
    }

    /** Makes a key of the kind of the server's, and returns its public half. */
    static String newKey(Path file, String phrase) throws IOException {
        Cluster.run("ssh-keygen", "-q", "-t", "ed25519", "-N", phrase, "-f", file.toString());
        return Files.readString(Path.of(file + ".pub"));
    }

    /** Returns the setting by which these words run in place of what a client asks for. */
    final String login(String words) throws IOException {
        Path file = Files.writeString(directory.resolve("login"), "#!/bin/bash\n" + words + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return "ForceCommand " + file;
    }

    @Test
    void connectionThatBreaksUnderAScriptIsOpenedAgain() throws IOException {
        try (OwnSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            assertWorks(host);
            assertThatThrownBy(() -> run(host, "kill -9 $PPID; sleep 60"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-150 The login node '127.0.0.1' (127.0.0.1:")
                    .hasMessageContaining("went away while it was asked for 'kill -9 $PPID; sleep 60'")
                    .hasMessageEndingWith("Running jobs go on; Fiber asks again over a new session.");

            assertWorks(host);
            assertThat(sshd.logins()).isEqualTo(2);
        }
    }

    /** Nothing closes the connection; ssh itself asks every 5 s whether somebody is there. */
    @Test
    void connectionThatBreaksIsNotTakenForARefusal() throws IOException {
        try (OwnSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            for (int round = 0; round < 10; round++) {
                assertWorks(host);
                List<CompletableFuture<String>> others = IntStream.range(0, 4)
                        .mapToObj(each -> CompletableFuture.supplyAsync(() -> outcome(host)))
                        .toList();
                assertThatThrownBy(() -> run(host, "kill -9 $PPID; sleep 60"))
                        .hasMessageContaining("went away while it was asked for");
                assertWorks(host);
                assertThat(others)
                        .extracting(CompletableFuture::join)
                        .allSatisfy(outcome -> assertThat(outcome).matches("works\n|.* went away while .*"));
            }
        }
    }

    private static String outcome(SshHost host) {
        try {
            return run(host, "echo works").output();
        } catch (BackendUnavailableException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void serverThatFallsSilentIsGivenUp() throws IOException {
        try (OwnSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            assertThatThrownBy(() -> host.run("kill -STOP $PPID; sleep 300", NOTHING, LIMIT.multipliedBy(2)))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("went away while it was asked for");
            assertWorks(host);
        }
    }

    @Test
    void scriptThatDoesNotReadWhatIsSentIsGivenUpAlone() throws IOException {
        try (OwnSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            assertWorks(host);
            assertThatThrownBy(() -> upload(host, READS_NOTHING, Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("FBR-130 Slurm does not answer: '" + READS_NOTHING
                            + "' has read nothing more for 1000 ms on the login node '127.0.0.1'");
            assertWorks(host);
            assertThat(sshd.logins()).isOne();
        }
    }

    /** All of it takes longer than the limit, and each part of it less. */
    @Test
    @Tag("soak")
    void uploadThatIsSlowArrives() throws IOException {
        try (OwnSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            String slow = "for part in 1 2 3 4 5 6 7 8; do head -c 2097152; sleep 2; done | wc -c";
            assertThat(upload(host, slow, Duration.ofSeconds(10)).strip()).isEqualTo("16777216");
        }
    }

    @Test
    void uploadEndsWhenItsHostLeaves() throws Exception {
        try (OwnSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            CompletableFuture<Throwable> failure = endlessUpload(host);
            host.leave(Duration.ofMillis(300));
            assertEndedByTheHost(failure);
        }
    }

    @Test
    void nothingIsWaitedForAfterTheEnd() throws IOException {
        try (OwnSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            assertWorks(host);
            host.leave(Duration.ofMillis(300));
            assertThatThrownBy(() -> run(host, "sleep 300"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("is closed");
        }
    }

    @Test
    void serverThatAllowsOneSessionInAConnectionGetsSeveralConnections() throws IOException {
        try (OwnSshd sshd = sshd("MaxSessions 1");
                SshHost host = host(sshd.options())) {
            assertWorks(host);
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> run(host, meets("one", "other")));
            assertThat(host.run(meets("other", "one") + "cat", "text".getBytes(UTF_8), LIMIT)
                            .output())
                    .isEqualTo("text");
            other.join();
            assertWorks(host);
        }
    }

    @Test
    void serverThatAllowsNoSessionIsToldFromOneThatDoesNotAnswer() throws IOException {
        try (OwnSshd sshd = sshd("MaxSessions 0");
                SshHost host = host(sshd.options())) {
            assertThatThrownBy(() -> assertWorks(host))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-150 The login node '127.0.0.1' (127.0.0.1:")
                    .hasMessageContaining("accepts the login and refuses a session. ")
                    .hasMessageContaining("raise MaxSessions in sshd_config")
                    .hasMessageNotContaining("Check host");
        }
    }

    @Test
    void hostThatOtherFilesAndConditionsDescribeIsReached() throws IOException {
        try (OwnSshd sshd = sshd()) {
            Path hosts = Files.writeString(
                    directory.resolve("hosts"),
                    sshd.block("cluster")
                            .replace(
                                    "Host cluster",
                                    "Match originalhost cluster localuser " + System.getProperty("user.name")));
            try (SshHost host = host("cluster", "Include " + hosts + "\nMatch user nobody\n    Port 1\n")) {
                assertWorks(host);
            }
        }
    }

    /** Starts an agent that has the key of a server. */
    final Process agent(Path socket, OwnSshd sshd) throws IOException {
        Process agent = new ProcessBuilder("ssh-agent", "-D", "-a", socket.toString()).start();
        await().atMost(LIMIT).until(() -> Files.exists(socket));
        Cluster.run(
                "env", "SSH_AUTH_SOCK=" + socket, "ssh-add", "-q", sshd.key().toString());
        return agent;
    }

    @Test
    void keyOfTheAgentLetsUsIn() throws IOException {
        Path socket = directory.resolve("agent");
        try (OwnSshd sshd = sshd()) {
            Process agent = agent(socket, sshd);
            String config = sshd.block("cluster").replaceFirst("IdentityFile .*", "IdentityAgent " + socket);
            try (SshHost host = host("cluster", config)) {
                assertWorks(host);
            } finally {
                agent.destroy();
            }
        }
    }

    /** The agent has the key without its passphrase; only the keys of files that are named are offered. */
    @Test
    void keyWithAPassphraseLetsUsInByTheAgent() throws IOException {
        Path socket = directory.resolve("agent");
        try (OwnSshd sshd = sshd("MaxAuthTries 2")) {
            Process agent = agent(socket, sshd);
            newKey(directory.resolve("other"), "");
            Cluster.run("env", "SSH_AUTH_SOCK=" + socket, "ssh-add", "-q", directory + "/other");
            // The server has its own from the same file.
            Path locked = Files.copy(sshd.key(), directory.resolve("locked"), StandardCopyOption.COPY_ATTRIBUTES);
            Files.copy(Path.of(sshd.key() + ".pub"), directory.resolve("locked.pub"));
            Cluster.run("ssh-keygen", "-q", "-p", "-N", "a passphrase", "-f", locked.toString());
            String config = sshd.block("cluster").replaceFirst("IdentityFile .*", "IdentityFile " + locked)
                    + "    IdentitiesOnly yes\n    IdentityAgent " + socket + "\n";
            try (SshHost host = host("cluster", config)) {
                assertWorks(host);
            } finally {
                agent.destroy();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ed25519", "ecdsa", "rsa"})
    void keyMayBeOfAnyUsualKind(String kind) throws IOException {
        Path key = directory.resolve("of-the-user");
        try (OwnSshd sshd = sshd()) {
            Cluster.run("ssh-keygen", "-q", "-t", kind, "-N", "", "-f", key.toString());
            Files.copy(Path.of(key + ".pub"), Path.of(sshd.key() + ".pub"), StandardCopyOption.REPLACE_EXISTING);
            Map<String, String> options = new TreeMap<>(sshd.options());
            options.put(SshOptions.KEY, key.toString());
            try (SshHost host = host(options)) {
                assertWorks(host);
            }
        }
    }

    @Test
    void hostThatSaysNothingIsGivenUpInTime() throws IOException {
        OwnSshd.assumePossible();
        try (SilentHost silent = SilentHost.open();
                SshHost host = host(
                        "silent",
                        "Host silent\n    HostName 127.0.0.1\n    Port " + silent.port()
                                + "\n    ConnectTimeout 1\n")) {
            assertThatThrownBy(() -> assertWorks(host))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-150 The login node 'silent' (127.0.0.1:" + silent.port() + ")")
                    .hasMessageContaining(" timed out")
                    .hasMessageContaining(", as of a host that is switched off");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "RemoteCommand tmux\nRequestTTY force",
                "LocalForward 1 127.0.0.1:1\nExitOnForwardFailure yes",
                "BatchMode no\nStrictHostKeyChecking no",
                "PermitLocalCommand yes\nLocalCommand exec sleep 300",
                "SessionType none",
                "SessionType subsystem",
                "ForkAfterAuthentication yes",
                "StdinNull yes",
                "IgnoreUnknown NoSuchOption\nNoSuchOption yes",
            })
    void whatTheConfigurationWantsOfASessionByHandDoesNotDisturb(String wishes) throws IOException {
        try (OwnSshd sshd = sshd();
                SshHost host = host("cluster", sshd.block("cluster") + wishes)) {
            assertWorks(host);
            assertThat(host.run("cat", "text".getBytes(UTF_8), LIMIT).output()).isEqualTo("text");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "tcsh", "fish"})
    void accountMayHaveAnyShellThatTalks(String other) throws IOException {
        assumeThat(LocalCommands.find(other, Environment.system())).as(other).isPresent();
        String login =
                login("echo Welcome; echo Maintenance on Monday >&2; exec " + other + " -c \"$SSH_ORIGINAL_COMMAND\"");
        try (OwnSshd sshd = sshd(login);
                SshHost host = host(sshd.options())) {
            assertThat(run(host, "printf '%s\\n' \"it's \\\\ $((1 + 1)) ! ~ *\"; echo no >&2"))
                    .isEqualTo(new Commands.Answer(0, "it's \\ 2 ! ~ *\n", "no\n"));
        }
    }

    @Test
    @Tag("soak")
    void shellThatDoesNotBeginInTimeIsNamed() throws IOException {
        try (OwnSshd sshd = sshd(login(READS_NOTHING));
                SshHost host = host("cluster", sshd.block("cluster") + "    ConnectTimeout 6\n")) {
            assertThatThrownBy(() -> assertWorks(host))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-210 The login node 'cluster' (127.0.0.1:")
                    .hasMessageContaining(
                            "accepts the login and does not run the command within 26000 ms. The account");
        }
    }

    @Test
    void whatAProgramInTheBackgroundPrintsHidesNoEnd() throws IOException {
        String talk = "while read -r -t 0.001 <&7; [ $? -gt 128 ]; do printf '%099d\\n' 0; done";
        String login = login("exec 7<> <(:); (" + talk + ") & exec sh -c \"$SSH_ORIGINAL_COMMAND\"");
        try (OwnSshd sshd = sshd(login);
                SshHost host = host(sshd.options())) {
            for (int round = 0; round < 20; round++) {
                Commands.Answer answer = run(host, "echo works; exit 7");
                assertThat(answer.exitCode()).isEqualTo(7);
                assertThat(answer.output()).contains("works\n");
            }
        }
    }

    @Test
    void shellThatEndsAtOnceIsNamedWithWhatItSaid() throws IOException {
        try (OwnSshd sshd = sshd(login("echo No shell; exit 4"));
                SshHost host = host(sshd.options())) {
            assertThatThrownBy(() -> assertWorks(host))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-210 The login node '127.0.0.1' (127.0.0.1:")
                    .hasMessageContaining("instead it ended with 4 and said: 'No shell'");
        }
    }

    @Test
    void bannerThatSpeaksOfRefusalsIsNone() throws IOException {
        Path banner = Files.writeString(
                directory.resolve("banner"),
                "Too many authentication failures lock the account.\nPermission denied? Ask the help desk.\n");
        try (OwnSshd sshd = sshd("MaxSessions 0", "Banner " + banner);
                SshHost host = host(sshd.options())) {
            assertThatThrownBy(() -> assertWorks(host))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("accepts the login and refuses a session. ");
        }
    }

    @Test
    void refusalAfterTooManyKeysIsOne() throws IOException {
        Path key = directory.resolve("other");
        try (OwnSshd sshd = sshd("MaxAuthTries 1")) {
            newKey(key, "");
            Map<String, String> options = new TreeMap<>(sshd.options());
            options.put(SshOptions.KEY, key.toString());
            assertRefused(options, "FBR-153 The login node '127.0.0.1'", "refuses the user '");
        }
    }
}
