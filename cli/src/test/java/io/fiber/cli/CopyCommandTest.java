// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class CopyCommandTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofSeconds(200);

    /** Of holes, so it takes no room here; nobody copies as much before the test has seen the beginning. */
    private static final long ENDLESS = 1L << 36;

    @BeforeEach
    void withFileNamesInUtf8() {
        // File names are text to a JVM in the encoding of its language.
        cli = cli.with("LC_ALL", "C.UTF-8");
    }

    @Test
    void aTreeGoesThereAndBackAsItIs() throws Exception {
        Path tree = tree(directory.resolve("tree"));

        Cli.Result there = cli.run("cp", "--backend", "local", "tree", ":" + directory + "/volume/");
        Cli.Result back = cli.run("cp", "--json", "-b", "local", ":" + directory + "/volume/tree", "back");

        assertThat(there.err()).contains("fiber: job ", "fiber: 4 files, ");
        assertThat(there.code()).isZero();
        assertThat(back.out()).isEqualTo("{\"files\":4,\"directoriesAndLinks\":5,\"bytes\":300007}\n");
        assertThat(described(directory.resolve("back"))).isEqualTo(described(tree));
    }

    @Test
    void aWorkerThatIsKilledInTheMiddleIsAnErrorAndLeavesTheOldFile() throws Exception {
        endless("big");
        Path target = Files.createDirectory(directory.resolve("target"));
        Files.writeString(target.resolve("big"), "old");
        Path err = directory.resolve("err");
        Process process = cli.builder("cp", "--backend", "local", "big", ":" + target)
                .redirectError(err.toFile())
                .start();
        try {
            awaitPieceIn(target);
            process.descendants()
                    .filter(each -> each.info().command().orElse("").endsWith("/java"))
                    .forEach(ProcessHandle::destroyForcibly);

            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(err)
                    .content()
                    .contains("fiber: FBR-566 The copy was cut off: the process 'cp' on the backend 'local' ");
            assertThat(target.resolve("big")).hasContent("old");
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    @Tag("soak")
    void aCommandThatIsKilledInTheMiddleLeavesNoHalfFileAtEitherEnd() throws Exception {
        endless("big");
        Path target = Files.createDirectory(directory.resolve("target"));
        for (List<String> way : List.of(List.of("big", ":" + target), List.of(":" + directory + "/big", "target"))) {
            Process process = cli.builder("cp", "--quiet", "--backend", "local", way.get(0), way.get(1))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            awaitPieceIn(target);
            List<ProcessHandle> workers = process.descendants().toList();
            process.destroyForcibly().waitFor();
            await().atMost(LIMIT).until(() -> workers.stream().noneMatch(ProcessHandle::isAlive));

            assertThat(target.resolve("big")).doesNotExist();
            for (Path piece : TestTrees.list(target)) {
                assertThat(piece.getFileName().toString()).startsWith(".fiber-cp-");
                Files.delete(piece);
            }
        }
    }

    @Test
    void whatCannotBeCopiedIsSaid() throws Exception {
        Cli.Result missing = cli.run("cp", "--backend", "local", ":" + directory + "/missing", "here");
        Cli.Result volume = cli.run("cp", "--backend", "local", "a", "data:a");
        Cli.Result both = cli.run("cp", "a", "b");

        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err())
                .contains("fiber: FBR-560 ':" + directory + "/missing' cannot be read on the backend 'local' (host ");
        assertThat(volume.code()).isEqualTo(1);
        assertThat(volume.err())
                .contains("FBR-559 The place 'data:a' names a volume, but the backend 'local' has no volumes");
        assertThat(both.code()).isEqualTo(2);
        assertThat(both.err()).contains("must be a PATH of this host, and the other one VOLUME:PATH");
    }

    @Test
    void aTargetThatCannotBeWrittenEndsALongCopyWithTheReason() throws Exception {
        endless("big");
        Path file = Files.createFile(directory.resolve("file"));

        Cli.Result result = cli.run("cp", "--quiet", "--backend", "local", "big", ":" + file + "/below/");

        assertThat(result.err())
                .matches("fiber: FBR-563 ':" + file + "/below' cannot be written on the backend 'local' \\(host .*\\): "
                        + "java\\.nio\\.file\\.[A-Za-z]+Exception: " + file
                        + ".*\\. The files that were copied completely are in place, and there are no"
                        + " partial ones\\. Make room, let that user write there or run as another one,"
                        + " and copy again\\.\n");
        assertThat(result.code()).isEqualTo(1);
    }

    /** Something of each kind, with names that shells and terminals stumble over. */
    static Path tree(Path root) throws IOException {
        Files.createDirectories(root.resolve("empty directory"));
        // This JVM can make no other files than its language has letters for.
        String letter = "UTF-8".equals(System.getProperty("sun.jnu.encoding")) ? "\u00fc" : "u";
        Path closed = Files.createDirectory(root.resolve("closed"));
        Files.write(root.resolve("large"), new byte[300_000]);
        Files.createFile(root.resolve("-empty"));
        Files.writeString(root.resolve("quote'\" " + letter + "\nname"), "odd");
        Files.writeString(closed.resolve("run.sh"), "true");
        Files.setPosixFilePermissions(closed.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-x--x"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-x---"));
        Files.createSymbolicLink(root.resolve("link"), Path.of("closed/run.sh"));
        Files.createSymbolicLink(root.resolve("nowhere"), Path.of("/no/such/file"));
        Files.setLastModifiedTime(root.resolve("large"), FileTime.fromMillis(1_000_000_000_123L));
        return root;
    }

    static Map<String, String> described(Path root) throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.toList()) {
                all.put(root.relativize(file).toString(), description(file));
            }
        }
        return all;
    }

    private static String description(Path file) throws IOException {
        if (Files.isSymbolicLink(file)) {
            return "-> " + Files.readSymbolicLink(file);
        }
        String rights = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        return Files.isDirectory(file)
                ? rights
                : rights + " "
                        + Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                                .toMillis() + " " + Files.readString(file);
    }

    private void endless(String name) throws IOException {
        try (RandomAccessFile file =
                new RandomAccessFile(directory.resolve(name).toFile(), "rw")) {
            file.setLength(ENDLESS);
        }
    }

    private static void awaitPieceIn(Path target) {
        await().atMost(LIMIT).until(() -> {
            for (Path file : TestTrees.list(target)) {
                if (file.getFileName().toString().startsWith(".fiber-cp-") && Files.size(file) > 0) {
                    return true;
                }
            }
            return false;
        });
    }
}
