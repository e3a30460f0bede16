// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shells over ssh, with a real server of this user. */
@Tag("slow")
@Timeout(300)
class SshShellTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final byte[] NOTHING = new byte[0];
    private static final String READS_NOTHING = "while kill -0 $PPID; do sleep 1; done";

    @TempDir
    Path directory;

    private OwnSshd sshd(String... settings) throws IOException {
        OwnSshd.assumePossible();
        return OwnSshd.start(directory.resolve("sshd"), List.of(settings));
    }

    /** Returns the setting by which these words run in place of what a client asks for. */
    private String login(String words) throws IOException {
        Path file = Files.writeString(directory.resolve("login"), "#!/bin/bash\n" + words + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
        return "ForceCommand " + file;
    }

    private static SshTarget target(Map<String, String> options) {
        return SshTarget.of(SshOptions.of(SlurmFixture.options(options)).orElseThrow(), Environment.system());
    }

    private SshShell shell(Map<String, String> options) {
        return new SshShell(target(options), directory);
    }

    private SshShell shell(String host, String config) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), config);
        return shell(Map.of(SshOptions.HOST, host, SshOptions.CONFIG, file.toString()));
    }

    private static Commands.Answer run(SshShell shell, String script) {
        return shell.run(script, NOTHING, LIMIT);
    }

    /** Returns the words by which two scripts wait until both run. */
    private String meets(String own, String other) {
        return "touch " + directory.resolve(own) + "; until [ -e " + directory.resolve(other)
                + " ]; do sleep 0.05; done; ";
    }

    private static void assertWorks(SshShell shell) {
        assertThat(run(shell, "echo works")).isEqualTo(new Commands.Answer(0, "works\n", ""));
    }

    @Test
    void scriptsOfAllThreadsHaveOneConnectionAndNothingOfEachOther() throws IOException {
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            assertThat(run(shell, "cd /; umask 077; text=mine; echo $text; echo its >&2; exit 3"))
                    .isEqualTo(new Commands.Answer(3, "mine\n", "its\n"));
            assertThat(run(shell, "cat; pwd; echo \"<$text>\"").output())
                    .doesNotStartWith("/\n")
                    .endsWith("<>\n");

            List<CompletableFuture<String>> answers = IntStream.range(0, 8)
                    .mapToObj(each -> CompletableFuture.supplyAsync(
                            () -> run(shell, "sleep 0.2; echo " + each).output()))
                    .toList();
            assertThat(answers.stream().map(CompletableFuture::join).collect(Collectors.joining()))
                    .isEqualTo("0\n1\n2\n3\n4\n5\n6\n7\n");
            assertThat(sshd.logins()).isOne();
        }
        assertThat(directory.resolve("ssh")).as("the socket of the connection").doesNotExist();
        assertThat(directory).isDirectoryNotContaining("glob:**/ssh*.{out,err}");
    }

    @Test
    void allBytesGoThereAndComeBack() throws IOException {
        byte[] bytes = new byte[200_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            assertThat(shell.bytes("cat", Optional.of(to -> to.write(bytes)), LIMIT))
                    .isEqualTo(bytes);
            Path file = directory.resolve("file");
            new SshFiles(shell).write(file, Arrays.copyOf(bytes, 1000));
            assertThat(file).hasBinaryContent(Arrays.copyOf(bytes, 1000));
            new SshFiles(shell).write(file, bytes);
            assertThat(new SshFiles(shell).read(file, 100, 5000)).isEqualTo(Arrays.copyOfRange(bytes, 100, 5100));
        }
    }

    @Test
    void whatAScriptDoesNotReadIsNotRun() throws IOException {
        Path trace = directory.resolve("trace");
        String line = "more touch " + trace + "\n";
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            for (String input : List.of(line, line.repeat(100), line.repeat(1000), line.repeat(10_000))) {
                assertThat(shell.run("exit 7", input.getBytes(UTF_8), LIMIT)).isEqualTo(new Commands.Answer(7, "", ""));
                assertWorks(shell);
            }
        }
        assertThat(trace).doesNotExist();
    }

    @Test
    void connectionThatBreaksIsOpenedAgain() throws IOException {
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            assertWorks(shell);
            assertThatThrownBy(() -> run(shell, "kill -9 $PPID; sleep 60"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-150 The login node '127.0.0.1' (127.0.0.1:")
                    .hasMessageContaining("went away while it was asked for 'kill -9 $PPID; sleep 60'")
                    .hasMessageEndingWith("Running jobs go on; Fiber asks again over a new session.");

            assertWorks(shell);
            assertThat(sshd.logins()).isEqualTo(2);
        }
    }

    /** Nothing closes the connection; ssh itself asks every 5 s whether somebody is there. */
    @Test
    void connectionThatBreaksIsNotTakenForARefusal() throws IOException {
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            for (int round = 0; round < 10; round++) {
                assertWorks(shell);
                List<CompletableFuture<String>> others = IntStream.range(0, 4)
                        .mapToObj(each -> CompletableFuture.supplyAsync(() -> outcome(shell)))
                        .toList();
                assertThatThrownBy(() -> run(shell, "kill -9 $PPID; sleep 60"))
                        .hasMessageContaining("went away while it was asked for");
                assertWorks(shell);
                assertThat(others)
                        .extracting(CompletableFuture::join)
                        .allSatisfy(outcome -> assertThat(outcome).matches("works\n|.* went away while .*"));
            }
        }
    }

    private static String outcome(SshShell shell) {
        try {
            return run(shell, "echo works").output();
        } catch (BackendUnavailableException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void serverThatFallsSilentIsGivenUp() throws IOException {
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            assertThatThrownBy(() -> shell.run("kill -STOP $PPID; sleep 300", NOTHING, LIMIT.multipliedBy(2)))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("went away while it was asked for");
            assertWorks(shell);
        }
    }

    @Test
    void oneShellThatDoesNotAnswerSpeaksForThoseThatRestBesideIt() throws IOException {
        try (OwnSshd sshd = sshd();
                SshShell shell = shell("cluster", sshd.block("cluster") + "    ConnectTimeout 6\n")) {
            CompletableFuture<String> other = CompletableFuture.supplyAsync(
                    () -> run(shell, meets("one", "other") + "echo $$").output());
            List<String> all =
                    List.of(run(shell, meets("other", "one") + "echo $$").output(), other.join());
            String first = run(shell, "echo $$").output();
            assertThat(all).contains(first).doesNotHaveDuplicates();
            Cluster.run("kill", "-STOP", first.strip());
            try {
                // For longer than a shell is taken to be there unasked.
                await().pollDelay(Duration.ofMillis(1500)).until(() -> true);

                assertThat(run(shell, "echo $$").output()).isNotIn(all);
                assertThat(sshd.logins()).isOne();
            } finally {
                Cluster.run("kill", "-KILL", first.strip());
            }
        }
    }

    @Test
    void scriptThatDoesNotEndInTimeIsGivenUpAlone() throws IOException {
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            assertWorks(shell);
            assertThatThrownBy(() -> shell.run("sleep 300", NOTHING, Duration.ofMillis(300)))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith(
                            "FBR-130 Slurm does not answer: 'sleep 300' has not ended within 300 ms on the"
                                    + " login node '127.0.0.1'");
            assertWorks(shell);
            assertThat(sshd.logins()).isOne();
        }
    }

    @Test
    void scriptThatDoesNotReadWhatIsSentIsGivenUpAlone() throws IOException {
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            assertWorks(shell);
            assertThatThrownBy(() -> upload(shell, READS_NOTHING, Duration.ofSeconds(1)))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("FBR-130 Slurm does not answer: '" + READS_NOTHING
                            + "' has read nothing more for 1000 ms on the login node '127.0.0.1'");
            assertWorks(shell);
            assertThat(sshd.logins()).isOne();
        }
    }

    /** Sends more than all buffers on the way hold. */
    private static String upload(SshShell shell, String script, Duration limit) throws IOException {
        return shell.script(
                script,
                to -> {
                    for (int i = 0; i < 256; i++) {
                        to.write(new byte[64 * 1024]);
                    }
                },
                limit);
    }

    /** All of it takes longer than the limit, and each part of it less. */
    @Test
    @Tag("soak")
    void uploadThatIsSlowArrives() throws IOException {
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            String slow = "for part in 1 2 3 4 5 6 7 8; do head -c 2097152; sleep 2; done | wc -c";
            assertThat(upload(shell, slow, Duration.ofSeconds(10)).strip()).isEqualTo("16777216");
        }
    }

    @Test
    void uploadEndsWithItsShell() throws Exception {
        try (OwnSshd sshd = sshd()) {
            CompletableFuture<Throwable> failure;
            try (SshShell shell = shell(sshd.options())) {
                failure = endlessUpload(shell);
            }
            assertEndedByTheShell(failure);
        }
    }

    @Test
    void uploadEndsWhenItsShellLeaves() throws Exception {
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            CompletableFuture<Throwable> failure = endlessUpload(shell);
            shell.leave(Duration.ofMillis(300));
            assertEndedByTheShell(failure);
        }
    }

    private CompletableFuture<Throwable> endlessUpload(SshShell shell) {
        Path begun = directory.resolve("begun");
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> upload(shell, "touch " + begun + "; " + READS_NOTHING, Duration.ofDays(1))));
        await().atMost(LIMIT).until(() -> Files.exists(begun));
        return failure;
    }

    private static void assertEndedByTheShell(CompletableFuture<Throwable> failure) throws Exception {
        assertThat(failure.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void nothingIsWaitedForAfterTheEnd() throws IOException {
        try (OwnSshd sshd = sshd();
                SshShell shell = shell(sshd.options())) {
            assertWorks(shell);
            shell.leave(Duration.ofMillis(300));
            assertThatThrownBy(() -> run(shell, "sleep 300"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("is closed");
        }
    }

    @Test
    void serverThatAllowsOneSessionInAConnectionGetsSeveralConnections() throws IOException {
        try (OwnSshd sshd = sshd("MaxSessions 1");
                SshShell shell = shell(sshd.options())) {
            assertWorks(shell);
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> run(shell, meets("one", "other")));
            assertThat(shell.run(meets("other", "one") + "cat", "text".getBytes(UTF_8), LIMIT)
                            .output())
                    .isEqualTo("text");
            other.join();
            assertWorks(shell);
        }
    }

    @Test
    void serverThatAllowsNoSessionIsToldFromOneThatDoesNotAnswer() throws IOException {
        try (OwnSshd sshd = sshd("MaxSessions 0");
                SshShell shell = shell(sshd.options())) {
            assertThatThrownBy(() -> assertWorks(shell))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-150 The login node '127.0.0.1' (127.0.0.1:")
                    .hasMessageContaining("accepts the login and refuses a session. ")
                    .hasMessageContaining("raise MaxSessions in sshd_config")
                    .hasMessageNotContaining("Check host");
        }
    }

    @Test
    void connectionThatTheConfigurationSharesIsUsedAndStaysOpen() throws Exception {
        Path socket = directory.resolve("own");
        try (OwnSshd sshd = sshd()) {
            String config = sshd.block("cluster") + "    ControlPath " + socket + "\n";
            Path file = Files.writeString(directory.resolve("config"), config);
            Process open = new ProcessBuilder("ssh", "-M", "-N", "-F", file.toString(), "cluster").start();
            try {
                await().atMost(LIMIT).until(() -> Files.exists(socket));
                try (SshShell shell = shell("cluster", config.replaceFirst("IdentityFile .*", "IdentityFile none"))) {
                    assertWorks(shell);
                    assertThat(shell.run("cat", "text".getBytes(UTF_8), LIMIT).output())
                            .isEqualTo("text");
                }
                assertThat(sshd.logins()).isOne();
                assertThat(open.isAlive()).isTrue();
            } finally {
                open.destroy();
                open.waitFor();
            }
        }
    }

    @Test
    void connectionThatTheConfigurationWouldKeepEndsWithUs() throws IOException {
        try (OwnSshd sshd = sshd()) {
            String keep = "    ControlMaster auto\n    ControlPersist yes\n";
            try (SshShell shell = shell("cluster", sshd.block("cluster") + keep)) {
                assertWorks(shell);
                assertThat(sshd.logins()).isOne();
                assertThat(sshd.isIdle()).isFalse();
            }
            await().atMost(LIMIT).until(sshd::isIdle);
        }
    }

    @Test
    void wayByACommandLeadsThere() throws IOException {
        try (OwnSshd sshd = sshd()) {
            Path gate = Files.writeString(directory.resolve("gate"), sshd.block("gate"));
            String way = "    ProxyCommand ssh -F " + gate + " -W %h:%p gate\n";
            try (SshShell shell = shell("cluster", sshd.block("cluster") + way)) {
                assertWorks(shell);
                assertThat(sshd.logins()).isEqualTo(2);
            }
        }
    }

    @Test
    void hostThatOtherFilesAndConditionsDescribeIsReached() throws IOException {
        try (OwnSshd sshd = sshd()) {
            Path hosts = Files.writeString(
                    directory.resolve("hosts"),
                    sshd.block("cluster").replace("Host cluster", "Match originalhost cluster exec true"));
            try (SshShell shell = shell("cluster", "Include " + hosts + "\nMatch user nobody\n    Port 1\n")) {
                assertWorks(shell);
            }
        }
    }

    @Test
    void keyOfTheAgentLetsUsIn() throws IOException {
        Path socket = directory.resolve("agent");
        OwnSshd.assumePossible();
        Process agent = new ProcessBuilder("ssh-agent", "-D", "-a", socket.toString()).start();
        try (OwnSshd sshd = sshd()) {
            await().atMost(LIMIT).until(() -> Files.exists(socket));
            Cluster.run(
                    "env",
                    "SSH_AUTH_SOCK=" + socket,
                    "ssh-add",
                    "-q",
                    sshd.key().toString());
            String config = sshd.block("cluster").replaceFirst("IdentityFile .*", "IdentityAgent " + socket);
            try (SshShell shell = shell("cluster", config)) {
                assertWorks(shell);
            }
        } finally {
            agent.destroy();
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
                SshShell shell = shell("cluster", sshd.block("cluster") + wishes)) {
            assertWorks(shell);
            assertThat(shell.run("cat", "text".getBytes(UTF_8), LIMIT).output()).isEqualTo("text");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dash", "tcsh", "fish"})
    void accountMayHaveAnyShellThatTalks(String other) throws IOException {
        assumeThat(LocalCommands.find(other, Environment.system())).as(other).isPresent();
        String login =
                login("echo Welcome; echo Maintenance on Monday >&2; exec " + other + " -c \"$SSH_ORIGINAL_COMMAND\"");
        try (OwnSshd sshd = sshd(login);
                SshShell shell = shell(sshd.options())) {
            assertThat(run(shell, "printf '%s\\n' \"it's \\\\ $((1 + 1)) ! ~ *\"; echo no >&2"))
                    .isEqualTo(new Commands.Answer(0, "it's \\ 2 ! ~ *\n", "no\n"));
        }
    }

    @Test
    @Tag("soak")
    void shellThatDoesNotBeginInTimeIsNamed() throws IOException {
        try (OwnSshd sshd = sshd(login(READS_NOTHING));
                SshShell shell = shell("cluster", sshd.block("cluster") + "    ConnectTimeout 6\n")) {
            assertThatThrownBy(() -> assertWorks(shell))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-210 The login node 'cluster' (127.0.0.1:")
                    .hasMessageContaining(
                            "accepts the login and does not run the command within 26000 ms. The account");
        }
    }

    @Test
    void filesOfAShellThatCannotBeStartedAreClosedAndGone() throws IOException {
        OwnSshd.assumePossible();
        SshTarget target = target(Map.of(SshOptions.HOST, "127.0.0.1"));
        assertThatThrownBy(() -> new SshProcess(target, List.of("x".repeat(4 << 20)), directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Argument list too long");
        assertThat(directory).isEmptyDirectory();
        assertThat(Path.of("/proc/self/fd").toFile().listFiles())
                .extracting(File::getCanonicalPath)
                .noneMatch(file -> file.startsWith(directory.toString()));
    }

    @Test
    void whatAProgramInTheBackgroundPrintsHidesNoEnd() throws IOException {
        String talk = "while read -r -t 0.001 <&7; [ $? -gt 128 ]; do printf '%099d\\n' 0; done";
        String login = login("exec 7<> <(:); (" + talk + ") & exec sh -c \"$SSH_ORIGINAL_COMMAND\"");
        try (OwnSshd sshd = sshd(login);
                SshShell shell = shell(sshd.options())) {
            for (int round = 0; round < 20; round++) {
                Commands.Answer answer = run(shell, "echo works; exit 7");
                assertThat(answer.exitCode()).isEqualTo(7);
                assertThat(answer.output()).contains("works\n");
            }
        }
    }

    @Test
    void shellThatEndsAtOnceIsNamedWithWhatItSaid() throws IOException {
        try (OwnSshd sshd = sshd(login("echo No shell; exit 4"));
                SshShell shell = shell(sshd.options())) {
            assertThatThrownBy(() -> assertWorks(shell))
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
                SshShell shell = shell(sshd.options())) {
            assertThatThrownBy(() -> assertWorks(shell))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageContaining("accepts the login and refuses a session. ");
        }
    }

    @Test
    void refusalAfterTooManyKeysIsOne() throws IOException {
        Path key = directory.resolve("other");
        try (OwnSshd sshd = sshd("MaxAuthTries 1")) {
            Cluster.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key.toString());
            Map<String, String> options = new TreeMap<>(sshd.options());
            options.put(SshOptions.KEY, key.toString());
            assertRefused(options, "FBR-153 The login node '127.0.0.1'", "Too many authentication failures");
        }
    }

    @Test
    void hostAndUserAreRefusedInWordsThatSayWhatToDo() throws IOException {
        try (OwnSshd sshd = sshd()) {
            Map<String, String> options = new TreeMap<>(sshd.options());
            String known = options.get(SshOptions.KNOWN_HOSTS);
            Path none = Files.createFile(directory.resolve("none"));
            options.put(SshOptions.KNOWN_HOSTS, none.toString());
            assertRefused(
                    options, "FBR-151 The login node '127.0.0.1' (127.0.0.1:", "is not known: No ", ", in " + none);

            Path key = directory.resolve("other");
            Cluster.run("ssh-keygen", "-q", "-t", "ed25519", "-N", "a passphrase", "-f", key.toString());
            Path wrong = Files.writeString(
                    directory.resolve("wrong"),
                    Files.readString(Path.of(String.valueOf(known))).split(" ", 2)[0] + " "
                            + Files.readString(Path.of(key + ".pub")));
            options.put(SshOptions.KNOWN_HOSTS, wrong.toString());
            assertRefused(
                    options,
                    "FBR-152 The login node '127.0.0.1' (127.0.0.1:",
                    " shows the host key ED25519 SHA256:",
                    ", which is not the one that '" + wrong + "' has for [127.0.0.1]:",
                    "ssh-keygen -R '[127.0.0.1]:");

            options.put(SshOptions.KNOWN_HOSTS, String.valueOf(known));
            options.put(SshOptions.KEY, key.toString());
            assertRefused(
                    options,
                    "FBR-153 The login node '127.0.0.1' (127.0.0.1:",
                    "refuses the user '" + System.getProperty("user.name") + "': ",
                    "Permission denied (publickey",
                    "put a key with a passphrase into an agent (ssh-add)");

            options.put(SshOptions.PORT, "1");
            assertRefused(
                    options,
                    "FBR-150 The login node '127.0.0.1' (127.0.0.1:1) cannot be reached: ",
                    "Connection refused. Running jobs go on");
        }
    }

    private void assertRefused(Map<String, String> options, String beginning, String... parts) {
        try (SshShell shell = shell(options)) {
            assertThatThrownBy(() -> assertWorks(shell))
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith(beginning)
                    .hasMessageContainingAll(parts);
        }
    }

    @Test
    void hostThatSaysNothingIsGivenUpInTime() throws IOException {
        OwnSshd.assumePossible();
        try (SilentHost host = SilentHost.open();
                SshShell shell = shell(
                        "silent",
                        "Host silent\n    HostName 127.0.0.1\n    Port " + host.port() + "\n    ConnectTimeout 1\n")) {
            assertThatThrownBy(() -> assertWorks(shell))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-150 The login node 'silent' (127.0.0.1:" + host.port() + ")")
                    .hasMessageContaining(" timed out")
                    .hasMessageContaining(", as of a host that is switched off");
        }
    }
}
