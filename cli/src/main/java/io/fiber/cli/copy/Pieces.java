// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.FiberException;
import io.fiber.runtime.platform.Sha256;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Writes files so that no incomplete file ever has its final name. Each is written beside it under a temporary name,
 * forced to the disk, compared, and only then renamed. Unfinished files are removed when this is closed or the process
 * is asked to end. If a process is killed, the next copy into its directory removes what it left, one hour after the
 * last write.
 *
 * <p>Not thread-safe; the hook that removes unfinished files runs in another thread.
 */
final class Pieces implements AutoCloseable {

    private static final String START = ".fiber-cp-";
    private static final String NAME = "\\.fiber-cp-[0-9a-f]{8}-[0-9]+";
    private static final Duration FORGOTTEN = Duration.ofHours(1);

    private final CopyRoot ground;
    private final Meter meter;
    private final String mark =
            START + UUID.randomUUID().toString().substring(0, 8).toLowerCase(Locale.ROOT) + "-";
    private final Set<Path> swept = new HashSet<>();
    private final byte[] buffer = new byte[LineOutput.PIECE];
    private final Thread hook = new Thread(this::removeUnfinished, "fiber-cp-unfinished");
    private volatile Optional<Path> unfinished = Optional.empty();
    private long count;

    Pieces(CopyRoot ground, Meter meter) {
        this.ground = ground;
        this.meter = meter;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Returns whether a file is an unfinished piece of a copy. */
    static boolean isOne(Path file) {
        return String.valueOf(file.getFileName()).matches(NAME);
    }

    static FiberException unwritable(CopyRoot ground, Path file, IOException e) {
        return new FiberException(
                "FBR-563",
                "'" + ground.name(file) + "' cannot be written " + ground.placeAndUser() + ": "
                        + CopyRoot.printable(e.toString())
                        + ". The files that were copied completely are in place, and there are no partial ones. "
                        + advice(ground, e)
                        + ", and copy again.",
                e);
    }

    private static String advice(CopyRoot ground, IOException e) {
        if (!(e instanceof AccessDeniedException)) {
            return "Make room, let that user write there or run as another one";
        }
        return "Let that user write there or run as another one"
                + switch (ground.backend()) {
                    case "docker" -> " (new volumes of Docker belong to root: -s docker.user=0:0)";
                    case "kubernetes" ->
                        " (-s kubernetes.user=UID:GID; most volumes are writable for its group, the pod's fsGroup)";
                    default -> "";
                };
    }

    /**
     * Reads the content of a file from the stream, and gives the file its name.
     *
     * @throws LineCut if the stream ends early
     * @throws FiberException FBR-563 if it cannot be written, FBR-565 if something else has arrived than was sent
     */
    void file(Path file, Entry entry, DataInputStream in) throws IOException {
        Path piece = begin(file);
        try (FileChannel channel = open(piece)) {
            MessageDigest digest = Sha256.newDigest();
            long size = content(channel, digest, in, file);
            byte[] sent = in.readNBytes(digest.getDigestLength());
            force(channel, file);
            if (size != entry.size()
                    || sizeOf(channel, file) != size
                    || !MessageDigest.isEqual(digest.digest(), sent)) {
                throw new FiberException(
                        "FBR-565",
                        "'" + ground.name(file) + "' arrived damaged: it has " + size + " bytes; expected "
                                + entry.size() + " and the same digest. It was not put in place."
                                + " Copy again; if it happens again, look for a broken disk or memory.");
            }
        }
        try {
            Files.setPosixFilePermissions(piece, PosixFilePermissions.fromString(entry.rights()));
            Files.setLastModifiedTime(piece, FileTime.fromMillis(entry.modifiedMs()));
        } catch (IOException e) {
            throw unwritable(ground, file, e);
        }
        rename(piece, file);
    }

    /** Creates a link, in place of a file or link of that name. */
    void link(Path file, String text) {
        Path piece = begin(file);
        try {
            Files.createSymbolicLink(piece, file.getFileSystem().getPath(text));
        } catch (IOException e) {
            throw unwritable(ground, file, e);
        }
        rename(piece, file);
    }

    private Path begin(Path file) {
        if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
            throw new FiberException(
                    "FBR-563",
                    "'" + ground.name(file)
                            + "' is a directory, and no file or link can be put in its place. Remove it, or copy"
                            + " to another place.");
        }
        Path directory = file.resolveSibling("");
        if (swept.add(directory)) {
            sweep(directory);
        }
        Path piece = file.resolveSibling(mark + count++);
        unfinished = Optional.of(piece);
        return piece;
    }

    /** Removes pieces that were not written to for long, whatever the clocks of a shared directory's hosts say. */
    private static void sweep(Path directory) {
        try (DirectoryStream<Path> pieces = Files.newDirectoryStream(directory, START + "*")) {
            for (Path piece : pieces) {
                Instant written = Files.getLastModifiedTime(piece, LinkOption.NOFOLLOW_LINKS)
                        .toInstant();
                if (isOne(piece) && written.isBefore(Instant.now().minus(FORGOTTEN))) {
                    Files.deleteIfExists(piece);
                }
            }
        } catch (IOException e) {
            // Another copy may have removed them, or another user owns them; this copy continues.
        }
    }

    private FileChannel open(Path piece) {
        try {
            return FileChannel.open(
                    piece,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (IOException e) {
            throw unwritable(ground, piece, e);
        }
    }

    private long content(FileChannel channel, MessageDigest digest, DataInputStream in, Path file) throws IOException {
        long size = 0;
        int length;
        while ((length = in.readInt()) != 0) {
            if (length < 0 || length > buffer.length) {
                throw new IOException("a piece of " + length + " bytes");
            }
            in.readFully(buffer, 0, length);
            digest.update(buffer, 0, length);
            write(channel, length, file);
            meter.moved(length);
            size += length;
        }
        return size;
    }

    private void write(FileChannel channel, int length, Path file) {
        ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, length);
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw unwritable(ground, file, e);
        }
    }

    private void force(FileChannel channel, Path file) {
        try {
            channel.force(true);
        } catch (IOException e) {
            throw unwritable(ground, file, e);
        }
    }

    private long sizeOf(FileChannel channel, Path file) {
        try {
            return channel.size();
        } catch (IOException e) {
            throw unwritable(ground, file, e);
        }
    }

    private void rename(Path piece, Path file) {
        try {
            Files.move(piece, file, StandardCopyOption.ATOMIC_MOVE);
            unfinished = Optional.empty();
        } catch (IOException e) {
            throw unwritable(ground, file, e);
        }
    }

    private void removeUnfinished() {
        unfinished.ifPresent(piece -> {
            try {
                Files.deleteIfExists(piece);
            } catch (IOException e) {
                // The next copy into this directory removes it.
            }
        });
    }

    @Override
    public void close() {
        removeUnfinished();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending, and the hook runs anyway.
        }
    }
}
