// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both halves in one process, with the stream between them in memory. */
class SendingTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    @Test
    void aCopyGoesIntoADirectoryThatIsThereOrGetsTheName() throws Exception {
        Files.writeString(Files.createDirectory(directory.resolve("src")).resolve("a"), "one");
        Files.createDirectory(directory.resolve("there"));

        copy("src", "there");
        copy("src", "new/name");
        copy("src", "slash/");
        copy("src/.", "there");
        copy("src/a", "there/b");

        assertThat(directory.resolve("there/src/a")).hasContent("one");
        assertThat(directory.resolve("new/name/a")).hasContent("one");
        assertThat(directory.resolve("slash/src/a")).hasContent("one");
        assertThat(directory.resolve("there/a")).hasContent("one");
        assertThat(directory.resolve("there/b")).hasContent("one");
    }

    @Test
    void noFileTakesThePlaceOfADirectory() throws Exception {
        Files.writeString(Files.createDirectory(directory.resolve("src")).resolve("a"), "one");
        Files.createDirectories(directory.resolve("dst/src/a"));

        assertThatThrownBy(() -> copy("src", "dst"))
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-563 '" + directory.resolve("dst/src/a") + "' is a directory");
    }

    @Test
    void whatIsMissingOrOfAnotherKindIsNamed() throws Exception {
        assertThatThrownBy(() -> copy("missing", "dst"))
                .hasMessageStartingWith(
                        "FBR-560 '" + directory.resolve("missing") + "' cannot be read on this host (host ");
        Path pipe = Files.createDirectory(directory.resolve("src")).resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        assertThatThrownBy(() -> copy("src", "dst"))
                .hasMessageStartingWith("FBR-561 '" + pipe + "' is neither a file nor a directory nor a link");
    }

    @Test
    void aFileThatGrowsWhileItIsReadIsNotCopied() throws Exception {
        Path file = Files.write(directory.resolve("log"), new byte[300_000]);
        Meter grows = new Meter() {
            @Override
            public void moved(int bytes) {
                append(file);
            }
        };
        ByteArrayOutputStream stream = new ByteArrayOutputStream();

        assertThatThrownBy(() -> new Sending(CopyRoot.here(), file.toString(), grows).run(stream))
                .hasMessageStartingWith(
                        "FBR-562 '" + file + "' changed while it was being copied: it had 300000 bytes, and 3");
    }

    @Test
    void placesAreReadAsScpReadsThem() {
        assertThat(Place.of("a/b:c")).isEqualTo(new Place.Here("a/b:c"));
        assertThat(Place.of("./a:b")).isEqualTo(new Place.Here("./a:b"));
        assertThat(Place.of("data:/x/y")).hasToString("data:x/y");
        assertThat(Place.of(":/x/y")).hasToString(":/x/y");
        assertThatThrownBy(() -> Place.of("data:x/../../y"))
                .hasMessageStartingWith("FBR-559 The place 'data:x/../../y' leads out of the volume");
    }

    private static void append(Path file) {
        try {
            Files.write(file, new byte[] {1}, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void copy(String from, String to) throws IOException {
        CopyRoot ground = new CopyRoot(directory.toString(), "", "");
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        Totals sent = new Sending(ground, from, Meter.none()).run(stream);
        Totals received = new Receiving(ground, to, Meter.none()).run(new ByteArrayInputStream(stream.toByteArray()));
        assertThat(received).isEqualTo(sent);
    }
}
