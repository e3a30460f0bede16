// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.slurm.SlurmFixture;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a login node behaves over each client of SSH. */
abstract class SshHostKit {

    static final Duration LIMIT = Duration.ofSeconds(60);
    static final byte[] NOTHING = new byte[0];
    static final String READS_NOTHING = "while kill -0 $PPID; do sleep 0.2; done";

    @TempDir
    Path directory;

    abstract String client();

    abstract TestSshd sshd() throws IOException;

    final SshHost host(Map<String, String> options) {
        Map<String, String> all = new TreeMap<>(options);
        all.put(SshOptions.CLIENT, client());
        return SshHost.of(SshOptions.of(SlurmFixture.options(all)).orElseThrow(), Environment.system(), directory);
    }

    final SshHost host(String name, String config) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), config);
        return host(Map.of(SshOptions.HOST, name, SshOptions.CONFIG, file.toString()));
    }

    static Commands.Answer run(SshHost host, String script) {
        return host.run(script, NOTHING, LIMIT);
    }

    /** Returns the words by which two scripts wait until both run. */
    final String meets(String own, String other) {
        return "touch " + directory.resolve(own) + "; until [ -e " + directory.resolve(other)
                + " ]; do sleep 0.05; done; ";
    }

    static void assertWorks(SshHost host) {
        assertThat(run(host, "echo works")).isEqualTo(new Commands.Answer(0, "works\n", ""));
    }

    @Test
    void scriptsOfAllThreadsHaveOneConnectionAndNothingOfEachOther() throws IOException {
        try (TestSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            assertThat(run(host, "cd /; umask 077; text=mine; echo $text; echo its >&2; exit 3"))
                    .isEqualTo(new Commands.Answer(3, "mine\n", "its\n"));
            assertThat(run(host, "cat; pwd; echo \"<$text>\"").output())
                    .doesNotStartWith("/\n")
                    .endsWith("<>\n");

            List<CompletableFuture<String>> answers = IntStream.range(0, 8)
                    .mapToObj(each -> CompletableFuture.supplyAsync(
                            () -> run(host, "echo " + each).output()))
                    .toList();
            assertThat(answers.stream().map(CompletableFuture::join).collect(Collectors.joining()))
                    .isEqualTo("0\n1\n2\n3\n4\n5\n6\n7\n");
            assertThat(sshd.logins()).isOne();
        }
        assertThat(directory).isDirectoryNotContaining("glob:**/ssh{,*.out,*.err}");
    }

    @Test
    void allBytesGoThereAndComeBack() throws IOException {
        byte[] bytes = new byte[200_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31 + (i >> 8));
        }
        try (TestSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            Path sent = directory.resolve("sent");
            host.script("cat >" + sent, to -> to.write(bytes), LIMIT);
            assertThat(sent).hasBinaryContent(bytes);
            assertThat(host.bytes("cat " + sent, Optional.empty(), LIMIT)).isEqualTo(bytes);
            assertThat(sshd.logins()).isOne();
        }
    }

    @Test
    void scriptsAndInputsMayBeLongerThanALineOfAShell() throws IOException {
        String text = "it's \\ $HOME ! 'äöü'\n".repeat(2_500);
        try (TestSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            assertThat(host.run("cat", text.getBytes(UTF_8), LIMIT)).isEqualTo(new Commands.Answer(0, text, ""));
            assertThat(run(host, "cat <<'END'\n" + text + "END\nexit 4")).isEqualTo(new Commands.Answer(4, text, ""));
            assertThat(host.script("# " + "long ".repeat(15_000) + "\nwc -c", to -> to.write(new byte[12]), LIMIT)
                            .strip())
                    .isEqualTo("12");
        }
    }

    @Test
    void whatAScriptDoesNotReadIsNotRun() throws IOException {
        Path trace = directory.resolve("trace");
        String line = "touch " + trace + "\n";
        try (TestSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            for (String input : List.of(line, line.repeat(2_000))) {
                assertThat(host.run("exit 7", input.getBytes(UTF_8), LIMIT)).isEqualTo(new Commands.Answer(7, "", ""));
                assertThatThrownBy(() -> host.script("exit 7", to -> to.write(input.getBytes(UTF_8)), LIMIT))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("says:  (exit code 7)");
                assertWorks(host);
            }
        }
        assertThat(trace).doesNotExist();
    }

    @Test
    void connectionThatBreaksIsOpenedAgain() throws IOException {
        try (TestSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            assertWorks(host);
            Path begun = directory.resolve("begun");
            CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> run(host, "touch " + begun + "; sleep 1")));
            await().atMost(LIMIT).until(() -> Files.exists(begun));
            sshd.breakConnections();
            assertThat(failure.join())
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-150 The login node '127.0.0.1' (127.0.0.1:")
                    .hasMessageContaining("went away while it was asked for 'touch " + begun + "; sleep 1'")
                    .hasMessageEndingWith("Running jobs go on; Fiber asks again over a new session.");

            assertWorks(host);
            assertThat(sshd.logins()).isEqualTo(2);
        }
    }

    @Test
    void scriptThatDoesNotEndInTimeIsGivenUpAlone() throws IOException {
        try (TestSshd sshd = sshd();
                SshHost host = host(sshd.options())) {
            assertWorks(host);
            assertThatThrownBy(() -> host.run("sleep 1; exit", NOTHING, Duration.ofMillis(100)))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith(
                            "FBR-130 Slurm does not answer: 'sleep 1; exit' has not ended within 100 ms on the"
                                    + " login node '127.0.0.1'");
            assertWorks(host);
            assertThat(sshd.logins()).isOne();
        }
    }

    @Test
    void uploadEndsWithItsHost() throws Exception {
        try (TestSshd sshd = sshd()) {
            CompletableFuture<Throwable> failure;
            try (SshHost host = host(sshd.options())) {
                failure = endlessUpload(host);
            }
            assertEndedByTheHost(failure);
        }
    }

    /** Sends more than all buffers on the way hold. */
    static String upload(SshHost host, String script, Duration limit) throws IOException {
        return host.script(
                script,
                to -> {
                    for (int i = 0; i < 256; i++) {
                        to.write(new byte[64 * 1024]);
                    }
                },
                limit);
    }

    final CompletableFuture<Throwable> endlessUpload(SshHost host) {
        Path begun = directory.resolve("begun");
        CompletableFuture<Throwable> failure = CompletableFuture.supplyAsync(
                () -> catchThrowable(() -> upload(host, "touch " + begun + "; sleep 0.5", Duration.ofDays(1))));
        await().atMost(LIMIT).until(() -> Files.exists(begun));
        return failure;
    }

    static void assertEndedByTheHost(CompletableFuture<Throwable> failure) throws Exception {
        assertThat(failure.get(LIMIT.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is closed");
    }

    @Test
    void hostAndUserAreRefusedInWordsThatSayWhatToDo() throws IOException {
        try (TestSshd sshd = sshd()) {
            Map<String, String> options = new TreeMap<>(sshd.options());
            String known = options.get(SshOptions.KNOWN_HOSTS);
            Path none = Files.createFile(directory.resolve("none"));
            options.put(SshOptions.KNOWN_HOSTS, none.toString());
            assertRefused(
                    options,
                    "FBR-151 The login node '127.0.0.1' (127.0.0.1:",
                    "is not known: No ",
                    " host key is known for [127.0.0.1]:",
                    ", in " + none,
                    "Fiber trusts no host by itself.");

            Path key = directory.resolve("other");
            String wrongKeys =
                    Files.readString(Path.of(String.valueOf(known))).split(" ", 2)[0] + " " + newHostKey(key);
            Path wrong = Files.writeString(directory.resolve("wrong"), wrongKeys);
            options.put(SshOptions.KNOWN_HOSTS, wrong.toString());
            assertRefused(
                    options,
                    "FBR-152 The login node '127.0.0.1' (127.0.0.1:",
                    " shows the host key E",
                    " SHA256:",
                    ", which is not the one that '" + wrong + "' has for [127.0.0.1]:",
                    "Nothing was sent.",
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

    /** Makes a key of the kind of the server's host key, and returns its public half. */
    String newHostKey(Path file) throws IOException {
        return JavaSshd.newKey(file);
    }

    final void assertRefused(Map<String, String> options, String beginning, String... parts) {
        try (SshHost host = host(options)) {
            assertThatThrownBy(() -> assertWorks(host))
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith(beginning)
                    .hasMessageContainingAll(parts);
        }
    }
}
