// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies to and from volumes of real clusters. */
@Tag("soak")
@Timeout(1_200)
class CopyClusterTest extends CliFixture {

    private static final Duration LIMIT = Duration.ofSeconds(400);
    private static final int SMALL_FILES = 1_000;
    private static final int SMALL_BYTES = 1_000;
    private static final int LARGE_MEGABYTES = 500;

    /** Of holes, so it takes no room here; nobody copies as much before the test has seen the beginning. */
    private static final long ENDLESS = 1L << 36;

    @ParameterizedTest
    @EnumSource
    void aThousandFilesAndALargeOneGoThereAndBack(CopySite.Kind kind) throws Exception {
        Path tree = tree();
        try (CopySite site = CopySite.of(kind, cli)) {
            Cli.Result there = site.cli().run(site.copy("tree", site.there() + "tree", "--json"));
            Cli.Result back = site.cli().run(site.copy(site.there() + "tree", "back", "--json"));

            String all = "{\"files\":" + (SMALL_FILES + 1) + ",\"directoriesAndLinks\":1,\"bytes\":"
                    + (SMALL_FILES * SMALL_BYTES + ((long) LARGE_MEGABYTES << 20)) + "}\n";
            assertThat(there.out()).as(there.err()).isEqualTo(all);
            assertThat(back.out()).as(back.err()).isEqualTo(all);
            for (Path file : TestTrees.list(tree)) {
                Path copy = directory.resolve("back").resolve(file.getFileName().toString());
                assertThat(Files.mismatch(file, copy))
                        .as("first difference of %s", file)
                        .isEqualTo(-1);
            }
            assertThat(TestTrees.list(directory.resolve("back"))).hasSize(SMALL_FILES + 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCopyThatIsCutLeavesNoHalfFile(CopySite.Kind kind) throws Exception {
        try (CopySite site = CopySite.of(kind, cli)) {
            assertCut(site, endless(directory).toString(), site.there() + "big", site.ground());
            Path target = Files.createDirectory(directory.resolve("target"));
            endless(site.ground());
            assertCut(site, site.there() + "big", target + "/big", target);
        }
    }

    @Test
    void aNewVolumeOfDockerThatTheUserMayNotWriteIsToldWithTheSettingThatHelps() throws Exception {
        Files.writeString(directory.resolve("file"), "text");
        try (CopySite site = CopySite.of(CopySite.Kind.DOCKER, cli)) {
            // The last one counts.
            Cli.Result refused =
                    site.cli().run(site.copy("file", site.there() + "file", "-s", "docker.user=1000:1000"));

            assertThat(refused.code()).as(refused.err()).isOne();
            assertThat(refused.err())
                    .contains("fiber: FBR-563 '" + site.there(), "' cannot be written on the backend 'docker' (host ")
                    .contains(", user ", "uid 1000", " (new volumes of Docker belong to root: -s docker.user=0:0), and")
                    .doesNotContain("\tat ", "Exception in thread");
            assertThat(TestTrees.list(site.ground())).isEmpty();

            Cli.Result written = site.cli().run(site.copy("file", site.there() + "file"));

            assertThat(written.code()).as(written.err()).isZero();
            assertThat(site.ground().resolve("file")).hasContent("text");
        }
    }

    private void assertCut(CopySite site, String from, String to, Path target) throws Exception {
        Path err = directory.resolve("err");
        Process process = site.cli()
                .builder(site.copy(from, to))
                .redirectError(err.toFile())
                .start();
        try {
            await().atMost(LIMIT).until(() -> hasPiece(target));
            site.cutting().run();

            assertThat(process.waitFor()).isEqualTo(1);
            assertThat(err).content().contains("FBR-566 The copy was cut off: the process 'cp' on the backend '");
            assertThat(target.resolve("big")).doesNotExist();
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean hasPiece(Path target) throws IOException {
        for (Path file : TestTrees.list(target)) {
            if (file.getFileName().toString().startsWith(".fiber-cp-") && Files.size(file) > 0) {
                return true;
            }
        }
        return false;
    }

    private Path tree() throws IOException {
        Path tree = Files.createDirectory(directory.resolve("tree"));
        Random random = new Random(7);
        byte[] small = new byte[SMALL_BYTES];
        for (int i = 0; i < SMALL_FILES; i++) {
            random.nextBytes(small);
            Files.write(tree.resolve("file-" + i), small);
        }
        byte[] block = new byte[1 << 20];
        try (OutputStream large = Files.newOutputStream(tree.resolve("large"))) {
            for (int i = 0; i < LARGE_MEGABYTES; i++) {
                random.nextBytes(block);
                large.write(block);
            }
        }
        return tree;
    }

    private static Path endless(Path parent) throws IOException {
        Path file = parent.resolve("big");
        try (RandomAccessFile content = new RandomAccessFile(file.toFile(), "rw")) {
            content.setLength(ENDLESS);
        }
        return file;
    }
}
