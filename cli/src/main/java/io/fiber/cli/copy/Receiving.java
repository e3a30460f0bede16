// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.FiberException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The half of a copy that writes. It does not trust names from the other half: it writes nothing outside the root, nor
 * through a link below it. Not thread-safe.
 */
final class Receiving {

    private final CopyRoot ground;
    private final String text;
    private final Meter meter;
    private final Set<Path> directories = new HashSet<>();
    private final Deque<Runnable> endings = new ArrayDeque<>();
    private final Map<Path, String> links = new LinkedHashMap<>();

    /** Creates it for a directory that exists, or ends with a slash, or for the copy's own name. */
    Receiving(CopyRoot ground, String text, Meter meter) {
        this.ground = ground;
        this.text = text;
        this.meter = meter;
    }

    /**
     * Receives everything.
     *
     * @return how much was received
     * @throws LineCut if the other half is gone before its end
     * @throws FiberException if something cannot be written, or differs from what was sent
     */
    Totals run(InputStream line) throws LineCut {
        Totals done = Totals.none();
        try (Pieces pieces = new Pieces(ground, meter)) {
            DataInputStream in = new DataInputStream(line);
            String name = in.readUTF();
            Totals all = new Totals(in.readLong(), in.readLong(), in.readLong());
            meter.begins(all);
            Path root = root(name);
            for (Optional<Entry> next = Entry.readFrom(in); next.isPresent(); next = Entry.readFrom(in)) {
                Entry entry = next.get();
                Path file = below(root, entry.path());
                switch (entry.kind()) {
                    case FILE -> pieces.file(inKnownDirectory(root, file), entry, in);
                    case DIRECTORY -> directory(inKnownDirectory(root, file), entry);
                    // Created last, so that nothing is written through them.
                    case LINK -> links.put(inKnownDirectory(root, file), entry.link());
                }
                meter.done(entry.kind());
                done = done.plus(entry);
            }
            links.forEach(pieces::link);
            endings.forEach(Runnable::run);
        } catch (LineCut e) {
            throw e;
        } catch (IOException e) {
            throw strange("bytes that do not belong to a copy (" + e.getMessage() + ")");
        }
        return done;
    }

    private Path root(String name) {
        Path target = ground.path(text);
        boolean into = text.endsWith("/") || text.isEmpty() || Files.isDirectory(target);
        Path root = into && !name.isEmpty() ? below(target, name) : target;
        Optional.ofNullable(root.getParent()).ifPresent(this::makeDirectories);
        return root;
    }

    private void makeDirectories(Path directory) {
        try {
            // What exists may be a link to a directory, which the user has set up.
            if (!Files.isDirectory(directory)) {
                Files.createDirectories(directory);
            }
        } catch (IOException e) {
            throw Pieces.unwritable(ground, directory, e);
        }
    }

    private Path below(Path root, String path) {
        if (path.isEmpty()) {
            return root;
        }
        Path at = root;
        for (String name : path.split("/", -1)) {
            if (name.isEmpty() || name.equals(".") || name.equals("..")) {
                throw strange("the name '" + CopyRoot.printable(path) + "', which is not below the root");
            }
            at = resolve(at, name);
        }
        return at;
    }

    private static Path resolve(Path directory, String name) {
        try {
            return directory.resolve(name);
        } catch (InvalidPathException e) {
            throw new FiberException(
                    "FBR-564",
                    "The name '" + CopyRoot.printable(name) + "' cannot be written in the encoding "
                            + System.getProperty("sun.jnu.encoding")
                            + " of this process. Set LC_ALL=C.UTF-8 and copy again.",
                    e);
        }
    }

    /** Each directory was checked before anything is put into it, so it is not a link. */
    private Path inKnownDirectory(Path root, Path file) {
        if (!file.equals(root) && !directories.contains(file.getParent())) {
            throw strange("the file '" + CopyRoot.printable(file.toString()) + "' without its directory");
        }
        return file;
    }

    private static FiberException strange(String what) {
        return new FiberException(
                "FBR-564",
                "The other end of the copy sent " + what
                        + ". It runs another version of Fiber: put this command's jar into the image or class path.");
    }

    private void directory(Path directory, Entry entry) {
        if (!entry.path().isEmpty() && Files.isSymbolicLink(directory)) {
            throw new FiberException(
                    "FBR-564",
                    "A directory cannot be copied to '" + ground.name(directory)
                            + "', which is a link: Fiber does not write through links. Remove the link, or copy to"
                            + " another place.");
        }
        if (!Files.isDirectory(directory)) {
            makeDirectories(directory);
            // In reverse order at the end: a directory without write permission gets its mode after its content.
            endings.addFirst(() -> finish(directory, entry));
        }
        directories.add(directory);
    }

    private void finish(Path directory, Entry entry) {
        try {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString(entry.rights()));
            Files.setLastModifiedTime(directory, FileTime.fromMillis(entry.modifiedMs()));
        } catch (IOException e) {
            throw Pieces.unwritable(ground, directory, e);
        }
    }
}
