// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassPathSnapshotTest {

    private static final long BUILT_MS = 1_000_000_000_000L;
    private static final long REBUILT_MS = BUILT_MS + 1;

    @TempDir
    private Path folder;

    private Path classes;
    private Path main;
    private Path rate;

    @BeforeEach
    void build() throws IOException {
        classes = Files.createDirectories(folder.resolve("classes"));
        Files.createDirectories(classes.resolve("acme"));
        main = written(classes.resolve("acme/Main.class"), BUILT_MS);
        rate = written(classes.resolve("acme/Rate.class"), BUILT_MS - 5_000);
    }

    private static Path written(Path file, long ms) throws IOException {
        Files.writeString(file, "class of " + ms);
        assertThat(file.toFile().setLastModified(ms)).isTrue();
        return file;
    }

    private ClassPathSnapshot snapshot(Path... entries) {
        return ClassPathSnapshot.of(
                List.of(entries).stream().map(Path::toString).toList(), ClassLoader.getPlatformClassLoader());
    }

    @Test
    void filesThatAreAsTheyWereHaveNotChangedWhateverTheClockOfTheirServer() throws IOException {
        written(main, System.currentTimeMillis() - 1);
        Path jar = written(folder.resolve("app.jar"), System.currentTimeMillis() - 1);
        ClassPathSnapshot snapshot = snapshot(classes, jar, folder.resolve("missing.jar"));
        written(classes.resolve("settings"), System.currentTimeMillis() + 60_000);

        assertThat(snapshot.entries()).hasSize(2);
        assertThat(snapshot.change()).isEmpty();
        assertThat(snapshot.change(main.toFile())).isEmpty();
        assertThat(snapshot.change(rate.toFile())).isEmpty();
        assertThat(snapshot.change(jar.toFile())).isEmpty();
    }

    @Test
    void aClassFileThatWasWrittenSinceIsNamed() throws IOException {
        ClassPathSnapshot snapshot = snapshot(classes);
        written(rate, REBUILT_MS);

        assertThat(snapshot.change())
                .contains("the file " + rate
                        + " was written at 2001-09-09T01:46:40.001Z, later than all files that existed when the"
                        + " program opened its first session (the newest was written at 2001-09-09T01:46:40Z)");
        assertThat(snapshot.change(rate.toFile())).isEqualTo(snapshot.change());
        assertThat(snapshot.change(main.toFile())).isEmpty();
    }

    @Test
    void aJarThatWasReplacedIsNamed() throws IOException {
        Path jar = written(folder.resolve("app.jar"), BUILT_MS);
        ClassPathSnapshot snapshot = snapshot(jar);
        written(jar, REBUILT_MS);

        assertThat(snapshot.change())
                .contains("the file " + jar + " was replaced while the program was running (it had 22 bytes and the"
                        + " time 2001-09-09T01:46:40Z when the program opened its first session, and now has"
                        + " 22 bytes and the time 2001-09-09T01:46:40.001Z)");
        assertThat(snapshot.change(jar.toFile())).isEqualTo(snapshot.change());
    }

    @Test
    void filesBehindASymbolicLinkAreKnownByBothNames() throws IOException {
        Path link = Files.createSymbolicLink(folder.resolve("link"), classes);
        ClassPathSnapshot snapshot = snapshot(link);
        written(rate, REBUILT_MS);

        assertThat(snapshot.change(
                        classes.toRealPath().resolve("acme/Rate.class").toFile()))
                .get()
                .asString()
                .contains("Rate.class was written at");
        assertThat(snapshot.change(link.resolve("acme/Rate.class").toFile())).isPresent();
        assertThat(snapshot.change(folder.resolve("classes2/acme/Rate.class").toFile()))
                .isEmpty();
    }

    @Test
    void aDirectoryWithoutClassFilesGetsItsFirstOnes() throws IOException {
        Path empty = Files.createDirectory(folder.resolve("empty"));
        ClassPathSnapshot snapshot = snapshot(empty);
        Path log = written(empty.resolve("log.txt"), REBUILT_MS);

        assertThat(log).exists();
        assertThat(snapshot.change()).isEmpty();
        Path late = written(empty.resolve("Late.class"), REBUILT_MS);
        assertThat(snapshot.change())
                .contains("the file " + late
                        + " was written at 2001-09-09T01:46:40.001Z, later than all files that existed when the"
                        + " program opened its first session");
    }

    @Test
    void ofADirectoryWithTooManyFilesNothingIsSaid() throws IOException {
        for (int i = 0; i < 5_000; i++) {
            Files.createFile(classes.resolve("file" + i));
        }
        ClassPathSnapshot snapshot = snapshot(classes);
        written(rate, REBUILT_MS);

        assertThat(snapshot.entries())
                .containsExactly(
                        new ClassPathSnapshot.Directory(classes.toString(), ClassPathSnapshot.Directory.UNKNOWN_MS));
        assertThat(snapshot.change()).isEmpty();
        assertThat(snapshot.change(rate.toFile())).isEmpty();
    }
}
