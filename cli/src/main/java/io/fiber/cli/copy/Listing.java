// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.FiberException;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Lists a file, or a directory with everything below it, directories before their content. Links are listed as links,
 * except the root. Pieces of an interrupted copy are left out. Not thread-safe.
 */
final class Listing extends SimpleFileVisitor<Path> {

    /** Replaces bytes that are not text in the encoding of this process. */
    private static final char UNREADABLE = '\uFFFD';

    private final CopyRoot ground;
    private final Path root;
    private final List<Entry> entries = new ArrayList<>();

    private Listing(CopyRoot ground, Path root) {
        this.ground = ground;
        this.root = root;
    }

    /**
     * Returns the entries.
     *
     * @param root not a link
     * @throws FiberException FBR-560 if something cannot be read, FBR-561 if something is of another kind, or its name
     *     is not text
     */
    static List<Entry> of(CopyRoot ground, Path root) {
        Listing listing = new Listing(ground, root);
        try {
            Files.walkFileTree(root, listing);
        } catch (IOException e) {
            throw unreadable(ground, root, e);
        }
        return listing.entries;
    }

    static FiberException unreadable(CopyRoot ground, Path file, IOException e) {
        return new FiberException(
                "FBR-560",
                "'" + ground.name(file) + "' cannot be read " + ground.placeAndUser() + ": "
                        + CopyRoot.printable(e.toString())
                        + ". Nothing of it was copied. Correct the path, or let that user read it.",
                e);
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
        entries.add(Entry.of(Entry.Kind.DIRECTORY, name(directory), posix(directory)));
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        if (attributes.isSymbolicLink()) {
            entries.add(Entry.link(name(file), readable(file, Files.readSymbolicLink(file))));
        } else if (!attributes.isRegularFile()) {
            throw new FiberException(
                    "FBR-561",
                    "'" + ground.name(file)
                            + "' is neither a file nor a directory nor a link, and cannot be copied. Nothing"
                            + " was copied. Remove it, or copy what is beside it.");
        } else if (!Pieces.isOne(file)) {
            entries.add(Entry.of(Entry.Kind.FILE, name(file), posix(file)));
        }
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) {
        throw unreadable(ground, file, e);
    }

    private static PosixFileAttributes posix(Path file) throws IOException {
        return Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private String name(Path file) {
        return readable(file, root.relativize(file)).toString();
    }

    private Path readable(Path file, Path text) {
        if (text.toString().indexOf(UNREADABLE) >= 0) {
            throw new FiberException(
                    "FBR-561",
                    "The name '" + ground.name(file) + "', or the target of that link, is not text in the encoding "
                            + System.getProperty("sun.jnu.encoding")
                            + " of this process, and would change in the copy. Nothing was copied. Rename it; if the"
                            + " encoding is not UTF-8, set LC_ALL=C.UTF-8.");
        }
        return text;
    }
}
