// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** The shared directory as this host has mounted it. */
public final class LocalFiles implements SharedFiles {

    private static final int REMOVAL_ATTEMPTS = 5;
    private static final long BETWEEN_ATTEMPTS_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final FileAttribute<Set<PosixFilePermission>> FOR_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY_FOR_OWNER =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

    /** Creates a view of this host's files. */
    public LocalFiles() {}

    @Override
    public boolean isHere() {
        return true;
    }

    @Override
    public void makeDirectory(Path directory, Map<String, byte[]> files) throws IOException {
        Path parent = directory.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        Files.createDirectory(directory, DIRECTORY_FOR_OWNER);
        for (Map.Entry<String, byte[]> file : files.entrySet()) {
            write(directory.resolve(file.getKey()), file.getValue());
        }
    }

    @Override
    public void mark(Collection<Path> files) throws IOException {
        for (Path file : files) {
            write(file, new byte[0]);
        }
    }

    @Override
    public void write(Path file, byte[] content) throws IOException {
        Files.deleteIfExists(file);
        // Created with its mode, so that others can never open it.
        Files.createFile(file, FOR_OWNER);
        Files.write(file, content, StandardOpenOption.WRITE);
    }

    @Override
    public void makeExecutable(Path file) throws IOException {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    @Override
    public Map<String, String> take(Path directory) throws IOException {
        Map<String, String> texts = new TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                texts.put(file.getFileName().toString(), Files.readString(file));
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            if (texts.isEmpty()) {
                throw e;
            }
        }
        return texts;
    }

    @Override
    public byte[] read(Path file, long from, int most) throws IOException {
        // Opens the file whatever its size is said to be: only then a file server is asked.
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            ByteBuffer bytes = ByteBuffer.allocate(most);
            channel.position(from);
            while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
                // Reads on until the file ends or the buffer is full.
            }
            return Arrays.copyOf(bytes.array(), bytes.position());
        } catch (NoSuchFileException e) {
            return new byte[0];
        }
    }

    @Override
    public boolean hasGrown(Path file, long bytes) {
        return file.toFile().length() > bytes;
    }

    @Override
    public long size(Path file) {
        return file.toFile().length();
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.deleteIfExists(file);
    }

    @Override
    public void deleteTree(Path directory) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try (Stream<Path> files = Files.walk(directory)) {
                List<Path> deepestFirst =
                        files.sorted(Comparator.reverseOrder()).toList();
                for (Path file : deepestFirst) {
                    Files.deleteIfExists(file);
                }
                return;
            } catch (NoSuchFileException e) {
                // The directory is gone. A file in it that has vanished causes the other exception.
                return;
            } catch (IOException | UncheckedIOException e) {
                if (attempt == REMOVAL_ATTEMPTS) {
                    throw e instanceof UncheckedIOException unchecked ? unchecked.getCause() : (IOException) e;
                }
                // A job is still writing, or the file server has an error; the next attempt sees what is there then.
                LockSupport.parkNanos(BETWEEN_ATTEMPTS_NS);
            }
        }
    }
}
