// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.FiberException;
import io.fiber.runtime.platform.Sha256;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.security.MessageDigest;
import java.util.List;

/** The half of a copy that reads. Not thread-safe. */
final class Sending {

    private final CopyRoot ground;
    private final String text;
    private final Meter meter;
    private final byte[] buffer = new byte[LineOutput.PIECE];

    /**
     * Creates it for a file or directory. If the last name is {@code .} or empty, it sends the content of the
     * directory.
     */
    Sending(CopyRoot ground, String text, Meter meter) {
        this.ground = ground;
        this.text = text;
        this.meter = meter;
    }

    /**
     * Sends everything.
     *
     * @return how much was sent
     * @throws LineCut if the other half is gone
     * @throws FiberException if something cannot be read, or changes meanwhile; what was sent before is kept
     */
    Totals run(OutputStream line) throws LineCut {
        Path source = ground.path(text);
        Path root = real(source);
        List<Entry> entries = Listing.of(ground, root);
        Totals all = entries.stream().reduce(Totals.none(), Totals::plus, (one, other) -> other);
        meter.begins(all);
        try (DataOutputStream out = new DataOutputStream(line)) {
            out.writeUTF(name(source));
            out.writeLong(all.files());
            out.writeLong(all.others());
            out.writeLong(all.bytes());
            for (Entry entry : entries) {
                entry.writeTo(out);
                if (entry.kind() == Entry.Kind.FILE) {
                    content(entry, root.resolve(entry.path()), out);
                }
                meter.done(entry.kind());
            }
            out.writeByte(Entry.END);
        } catch (LineCut e) {
            throw e;
        } catch (IOException e) {
            throw new IllegalStateException("A pipe fails by LineCut alone.", e);
        }
        return all;
    }

    private Path real(Path source) {
        try {
            return source.toRealPath();
        } catch (IOException e) {
            throw Listing.unreadable(ground, source, e);
        }
    }

    /** Returns an empty name for the content of a directory, which is sent without the directory itself. */
    private String name(Path source) {
        String last = text.replaceFirst("/+$", "");
        last = last.substring(last.lastIndexOf('/') + 1);
        return last.isEmpty() || last.equals(".") ? "" : String.valueOf(source.getFileName());
    }

    private void content(Entry entry, Path file, DataOutputStream out) throws IOException {
        MessageDigest digest = Sha256.newDigest();
        try (InputStream in = open(file)) {
            long size = 0;
            int count;
            // A file that another process keeps writing to has no end.
            while (size <= entry.size() && (count = read(in, file)) > 0) {
                digest.update(buffer, 0, count);
                out.writeInt(count);
                out.write(buffer, 0, count);
                meter.moved(count);
                size += count;
            }
            requireUnchanged(entry, file, size);
        }
        out.writeInt(0);
        out.write(digest.digest());
    }

    private InputStream open(Path file) {
        try {
            return Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw cut(file, e);
        }
    }

    private int read(InputStream in, Path file) {
        try {
            return in.read(buffer);
        } catch (IOException e) {
            throw cut(file, e);
        }
    }

    private void requireUnchanged(Entry entry, Path file, long size) {
        PosixFileAttributes now;
        try {
            now = Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        } catch (IOException e) {
            throw cut(file, e);
        }
        if (size != entry.size() || !entry.isAs(now)) {
            throw new FiberException(
                    "FBR-562",
                    "'" + ground.name(file) + "' changed while it was being copied: it had " + entry.size()
                            + " bytes, and " + size
                            + " were read. It was not put in place at the target. Copy again when no program writes"
                            + " to it.");
        }
    }

    private FiberException cut(Path file, IOException e) {
        return new FiberException(
                "FBR-562",
                "'" + ground.name(file) + "' was listed but cannot be read " + ground.placeAndUser() + ": "
                        + CopyRoot.printable(e.toString()) + ". It was not put in place at the target. Copy again.",
                e);
    }
}
