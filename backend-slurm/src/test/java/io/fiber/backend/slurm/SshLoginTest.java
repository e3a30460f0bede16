// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.slurm.ssh.OwnSshd;
import io.fiber.backend.slurm.ssh.SshOptions;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.SharedFiles;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendException;
import io.fiber.tck.cluster.KitContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A login node without Slurm, with a real server of this user. */
@Tag("slow")
class SshLoginTest {

    private static final Duration LIMIT = Duration.ofSeconds(100);

    @TempDir
    Path directory;

    private OwnSshd sshd(String... settings) throws IOException {
        OwnSshd.assumePossible();
        return OwnSshd.start(directory.resolve("sshd"), List.of(settings));
    }

    private SshLogin open(OwnSshd sshd, String program) {
        return open(sshd, program, Map.of());
    }

    private SshLogin open(OwnSshd sshd, String program, Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(sshd.options());
        all.putAll(more);
        Options options = SlurmFixture.options(all);
        KitContext context = new KitContext("abcdefghij01", directory, options, Environment.system());
        return SshLogin.open(context, SshOptions.of(options).orElseThrow(), SiteOptions.of(options), List.of(program));
    }

    private static String permissions(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void commandsHaveTheirWordsAndTheirInput() throws IOException {
        try (OwnSshd sshd = sshd()) {
            SshLogin login = open(sshd, "sh");
            Commands.Answer answer = login.commands()
                    .run(new Commands.Command(
                            List.of("sh", "-c", "tr a-z A-Z; echo \"<$1>\"", "name", "it's * $HOME"), "text\n", LIMIT));
            assertThat(answer).isEqualTo(new Commands.Answer(0, "TEXT\n<it's * $HOME>\n", ""));
            assertThat(login.directory()).isEqualTo(Path.of(System.getProperty("user.home"), ".fiber", "slurm"));
            login.close();
        }
    }

    /** A plain command has what files such as ~/.zshenv set, whatever a login shell says afterwards. */
    @Test
    void variableThatStandsForAnOptionDoesNotReachProgramsUnlessItIsLeftToTheUser() throws IOException {
        String variables = "SetEnv SBATCH_ACCOUNT=old SBATCH_QOS=normal SBATCH_WAIT=1 SQUEUE_PARTITION=x"
                + " SCANCEL_INTERACTIVE=1 SLURM_CLUSTERS=other SLURM_CONF=/etc/slurm.conf";
        try (OwnSshd sshd = sshd(variables)) {
            SshLogin login = open(sshd, "sh", Map.of("account", "chem"));
            Commands.Command env = Commands.Command.of(LIMIT, List.of("env"));
            for (Commands.Answer answer : List.of(
                    login.commands().run(env),
                    login.commands().run(new Commands.Command(env.words(), "text", LIMIT)),
                    login.commands().runAll(List.of(env)))) {
                assertThat(answer.output().lines())
                        .filteredOn(line -> line.startsWith("S") && line.contains("_"))
                        .filteredOn(line -> !line.startsWith("SSH_"))
                        .containsExactlyInAnyOrder("SBATCH_QOS=normal", "SLURM_CONF=/etc/slurm.conf");
            }
            login.close();
        }
    }

    @Test
    void programThatIsMissingThereIsNamed() throws IOException {
        try (OwnSshd sshd = sshd()) {
            assertThatThrownBy(() -> open(sshd, "no-such-sbatch"))
                    .isInstanceOf(BackendException.class)
                    .hasMessageStartingWith("FBR-155 The program 'no-such-sbatch' is in no directory of PATH=/");
        }
    }

    @Test
    void filesAreForTheirOwnerAloneAndNewsAreTakenOnce() throws IOException {
        Path shared = directory.resolve("the shared'directory");
        Path news = shared.resolve("news");
        try (OwnSshd sshd = sshd()) {
            SshLogin login = open(sshd, "sh");
            SharedFiles files = login.files();
            files.makeDirectory(shared, Map.of("0.bootstrap", new byte[] {0, 1, 2}, "1.bootstrap", new byte[20_000]));
            assertThat(permissions(shared)).isEqualTo("rwx------");
            assertThat(permissions(shared.resolve("0.bootstrap"))).isEqualTo("rw-------");
            assertThat(shared.resolve("0.bootstrap")).hasBinaryContent(new byte[] {0, 1, 2});
            assertThat(shared.resolve("1.bootstrap")).hasBinaryContent(new byte[20_000]);
            assertThat(shared.resolve(".archive")).doesNotExist();
            assertThatThrownBy(() -> files.makeDirectory(shared, Map.of()))
                    .isInstanceOf(FileAlreadyExistsException.class);

            assertThat(files.take(news)).isEmpty();
            files.makeDirectory(news, Map.of());
            assertThat(files.take(news)).isEmpty();
            Files.writeString(news.resolve("0-0-begun"), "n1\n");
            Files.writeString(news.resolve("0-1-ended"), "0 -\n");
            assertThat(files.take(news)).isEqualTo(Map.of("0-0-begun", "n1\n", "0-1-ended", "0 -\n"));
            assertThat(files.take(news)).isEmpty();
            assertThat(news).isEmptyDirectory();

            Path text = shared.resolve("text");
            assertThat(files.size(text)).isZero();
            assertThat(files.read(text, 0, 10)).isEmpty();
            files.write(text, "0123456789".getBytes(UTF_8));
            assertThat(permissions(text)).isEqualTo("rw-------");
            assertThat(files.size(text)).isEqualTo(10);
            assertThat(files.read(text, 2, 5)).isEqualTo("23456".getBytes(UTF_8));
            assertThat(files.read(text, 10, 5)).isEmpty();
            files.makeExecutable(text);
            assertThat(permissions(text)).isEqualTo("rwx------");
            files.delete(text);
            files.delete(text);
            assertThat(text).doesNotExist();
            files.mark(List.of(shared.resolve("a"), shared.resolve("b")));
            assertThat(shared.resolve("b")).isEmptyFile();
            files.deleteTree(shared);
            files.deleteTree(shared);
            assertThat(shared).doesNotExist();
            login.close();
        }
    }

    @Test
    void sizesOfTenThousandFilesAreTold() throws IOException {
        Path many = Files.createDirectory(directory.resolve("many"));
        for (int i = 0; i < 10_000; i++) {
            Files.write(many.resolve(i + ".out"), new byte[i % 7]);
        }
        try (OwnSshd sshd = sshd()) {
            SshLogin login = open(sshd, "sh");
            for (int i = 9_990; i < 10_000; i++) {
                assertThat(login.files().size(many.resolve(i + ".out"))).isEqualTo(i % 7);
            }
            login.close();
        }
    }

    /** Jobs make and remove files there all the time. */
    @Test
    void sizesAreToldWhereFilesVanishMeanwhile() throws Exception {
        Path many = Files.createDirectory(directory.resolve("many"));
        Path stays = Files.write(many.resolve("stays"), new byte[7]);
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> changes = CompletableFuture.runAsync(() -> {
            while (!isOver.get()) {
                makeAndRemove(many, 200);
            }
        });
        try (OwnSshd sshd = sshd()) {
            SshLogin login = open(sshd, "sh");
            for (int i = 0; i < 100; i++) {
                assertThat(login.files().size(stays)).isEqualTo(7);
            }
            login.close();
        } finally {
            isOver.set(true);
            changes.join();
        }
    }

    private static void makeAndRemove(Path directory, int count) {
        try {
            for (int i = 0; i < count; i++) {
                Files.createFile(directory.resolve(Integer.toString(i)));
            }
            for (int i = 0; i < count; i++) {
                Files.delete(directory.resolve(Integer.toString(i)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is left to do is tried again until it can be done, by a program that does without this process. */
    @Test
    void wordsForTheTimeAfterThisProcessRunThereUntilTheyEndWell() throws Exception {
        Path first = directory.resolve("first");
        Path done = directory.resolve("done");
        Path go = directory.resolve("go");
        String script = "touch " + first + "; [ -e " + go + " ] && touch " + done;
        List<String> words = List.of("/bin/sh", "-c", script);
        try (OwnSshd sshd = sshd()) {
            SshLogin login = open(sshd, "sh");
            login.close();
            Process process = new ProcessBuilder(login.atDeath(words)).start();
            process.getOutputStream().close();
            await().atMost(LIMIT).until(() -> Files.exists(first));
            assertThat(done).doesNotExist();
            Files.createFile(go);
            assertThat(process.waitFor()).isZero();
            assertThat(done).exists();

            Files.delete(done);
            login.later(words);
            await().atMost(LIMIT).until(() -> Files.exists(done));
        }
    }
}
