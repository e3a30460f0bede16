// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.runtime.platform.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the writing half does with streams that no sending half would send. */
class ReceivingTest {

    private static final byte[] CONTENT = "content".getBytes(UTF_8);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream stream = new DataOutputStream(bytes);

    @Test
    void rightThatIsMissingIsToldWithTheSettingOfThePlatform() {
        assertMissingRight("", "");
        assertMissingRight("slurm", "");
        assertMissingRight("docker", " (new volumes of Docker belong to root: -s docker.user=0:0)");
        assertMissingRight(
                "kubernetes",
                " (-s kubernetes.user=UID:GID; most volumes are writable for its group, the pod's fsGroup)");
    }

    private static void assertMissingRight(String backend, String setting) {
        CopyRoot root = new CopyRoot("", "", backend);
        Path file = Path.of("/data/file");

        assertThat(root.placeAndUser())
                .startsWith(backend.isEmpty() ? "on this host (host " : "on the backend '" + backend + "' (host ");
        assertThat(Pieces.unwritable(root, file, new AccessDeniedException("/data/.fiber-cp-1")))
                .hasMessage("FBR-563 '/data/file' cannot be written " + root.placeAndUser()
                        + ": java.nio.file.AccessDeniedException: /data/.fiber-cp-1. The files that were"
                        + " copied completely are in place, and there are no partial ones. Let that user"
                        + " write there or run as another one" + setting
                        + ", and copy again.");
    }

    @Test
    void aFileGetsItsNameWhenAllOfItHasCome() throws Exception {
        begin("a");
        file("", CONTENT.length, CONTENT);
        stream.writeByte(Entry.END);

        assertThat(receive()).isEqualTo(new Totals(1, 0, CONTENT.length));
        assertThat(directory).isDirectoryContaining(file -> file.endsWith("a")).isDirectoryNotContaining(Pieces::isOne);
        assertThat(directory.resolve("a")).hasBinaryContent(CONTENT).isExecutable();
    }

    @Test
    void aStreamThatEndsInAFileLeavesTheOldOne() throws Exception {
        Files.writeString(directory.resolve("a"), "old");
        begin("a");
        new Entry(Entry.Kind.FILE, "", "rw-r--r--", 0, CONTENT.length, "").writeTo(stream);
        stream.writeInt(CONTENT.length);
        stream.write(CONTENT, 0, 3);

        assertThatThrownBy(this::receive).isInstanceOf(FiberException.class);
        assertThat(directory.resolve("a")).hasContent("old");
        assertThat(directory).isDirectoryNotContaining(Pieces::isOne);
    }

    @Test
    void aFileThatIsShorterOrAnotherThanSaidIsRefused() throws Exception {
        begin("a");
        file("", CONTENT.length + 1, CONTENT);
        assertThatThrownBy(this::receive)
                .isInstanceOf(FiberException.class)
                .hasMessageStartingWith("FBR-565 '" + directory.resolve("a")
                        + "' arrived damaged: it has 7 bytes; expected 8 and" + " the same digest.");

        bytes.reset();
        begin("a");
        file("", CONTENT.length, CONTENT);
        byte[] damaged = bytes.toByteArray();
        damaged[damaged.length - 1] ^= 1;
        bytes.reset();
        stream.write(damaged);
        assertThatThrownBy(this::receive).hasMessageStartingWith("FBR-565 ");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void namesThatLeadOutAreRefused() throws Exception {
        for (String path : new String[] {"../b", "x/../../b", "/b", "x//b", "."}) {
            bytes.reset();
            begin("a");
            directory("");
            file(path, CONTENT.length, CONTENT);
            assertThatThrownBy(this::receive).as(path).hasMessageStartingWith("FBR-564 The other end of the copy sent");
        }
        bytes.reset();
        begin("../a");
        assertThatThrownBy(this::receive).hasMessageContaining("the name '../a', which is not below the root");
    }

    @Test
    void nothingIsWrittenThroughALink() throws Exception {
        Path outside = Files.createDirectories(directory.resolve("outside"));
        Files.createDirectories(directory.resolve("a"));
        Files.createSymbolicLink(directory.resolve("a/link"), outside);
        begin("a");
        directory("");
        directory("link");
        assertThatThrownBy(this::receive)
                .hasMessageStartingWith("FBR-564 A directory cannot be copied to '" + directory.resolve("a/link")
                        + "', which is a link");

        bytes.reset();
        begin("a");
        directory("");
        file("link/b", CONTENT.length, CONTENT);
        assertThatThrownBy(this::receive).hasMessageContaining("without its directory");
        assertThat(outside).isEmptyDirectory();
    }

    @Test
    void bytesThatAreNoCopyAreRefused() throws Exception {
        begin("a");
        new Entry(Entry.Kind.FILE, "", "rw-r--r--", 0, CONTENT.length, "").writeTo(stream);
        stream.writeInt(-5);

        assertThatThrownBy(this::receive)
                .hasMessageStartingWith("FBR-564 The other end of the copy sent bytes that do not belong to a copy");
    }

    @Test
    void whatAKilledCopyLeftIsRemovedAnHourLater() throws Exception {
        Path old = Files.createFile(directory.resolve(".fiber-cp-0123abcd-7"));
        Path young = Files.createFile(directory.resolve(".fiber-cp-0123abcd-8"));
        Path other = Files.createFile(directory.resolve(".fiber-cp-notes"));
        FileTime before = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
        Files.setLastModifiedTime(old, before);
        Files.setLastModifiedTime(other, before);
        begin("a");
        file("", CONTENT.length, CONTENT);
        stream.writeByte(Entry.END);

        receive();

        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(other).exists();
    }

    private Totals receive() throws IOException {
        return new Receiving(CopyRoot.here(), directory + "/", Meter.none())
                .run(new ByteArrayInputStream(bytes.toByteArray()));
    }

    private void begin(String name) throws IOException {
        stream.writeUTF(name);
        stream.writeLong(1);
        stream.writeLong(0);
        stream.writeLong(CONTENT.length);
    }

    private void directory(String path) throws IOException {
        new Entry(Entry.Kind.DIRECTORY, path, "rwxr-xr-x", 0, 0, "").writeTo(stream);
    }

    private void file(String path, long size, byte[] content) throws IOException {
        new Entry(Entry.Kind.FILE, path, "rwxr-xr-x", 0, size, "").writeTo(stream);
        stream.writeInt(content.length);
        stream.write(content);
        stream.writeInt(0);
        stream.write(Sha256.newDigest().digest(content));
    }
}
