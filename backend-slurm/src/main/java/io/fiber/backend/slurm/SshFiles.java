// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import com.jcraft.jsch.ChannelSftp;
import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.SharedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The shared directory as a login node has it. Looking and reading go by SFTP, which starts no process there; writing
 * goes by a shell, which says in words what went wrong.
 */
final class SshFiles implements SharedFiles {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    /** A removal goes on there when this process no longer waits for it. */
    private static final Duration LAST_LIMIT = Duration.ofMillis(1500);

    private static final long LISTING_VALID_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int MOST_NAMES = 500;
    private static final byte[] NOTHING = new byte[0];

    private final SshConnection connection;
    private final SshShell shell;
    private final SftpChannel sftp;
    private final Map<Path, Listing> listings = new ConcurrentHashMap<>();

    /** The sizes of the files of a directory, so that one look at many files asks once. */
    private record Listing(long takenNs, Map<String, Long> sizes) {}

    SshFiles(SshConnection connection, SshShell shell, SftpChannel sftp) {
        this.connection = connection;
        this.shell = shell;
        this.sftp = sftp;
    }

    @Override
    public boolean isHere() {
        return false;
    }

    /** All files go in one piece: each of its own would take a way there and back. */
    @Override
    public void makeDirectory(Path directory, Map<String, byte[]> files) throws IOException {
        String words = quoted(directory);
        byte[] archive = TarArchive.of(files);
        String unpack = files.isEmpty()
                ? ""
                : " && cd " + words + " && " + receive(".archive", archive.length)
                        + " && tar -xf .archive && rm -f .archive";
        try {
            String answer = shell.script(
                    "if [ -e " + words + " ]; then echo there; else umask 077; mkdir -p " + words + unpack + "; fi",
                    files.isEmpty() ? NOTHING : archive,
                    LIMIT);
            if (answer.equals("there\n")) {
                throw new FileAlreadyExistsException(directory.toString());
            }
        } finally {
            Arrays.fill(archive, (byte) 0);
        }
    }

    /** The size is counted, for a session that breaks looks like an end of input. */
    private static String receive(String quotedName, int size) {
        return "cat >" + quotedName + " && [ $(wc -c <" + quotedName + ") -eq " + size + " ]";
    }

    @Override
    public void mark(Collection<Path> files) throws IOException {
        if (!files.isEmpty()) {
            String names = SshShell.line(files.stream().map(Path::toString).toList());
            shell.script("umask 077; for f in " + names + "; do : >\"$f\" || exit 1; done", NOTHING, LIMIT);
        }
    }

    @Override
    public void write(Path file, byte[] content) throws IOException {
        String name = quoted(file);
        String part = quoted(file.resolveSibling(file.getFileName() + ".part"));
        shell.script(
                "umask 077; " + receive(part, content.length) + " && mv -f " + part + " " + name + " || { rm -f " + part
                        + "; exit 1; }",
                content,
                LIMIT);
    }

    @Override
    public void makeExecutable(Path file) throws IOException {
        sftp.run("chmod", channel -> {
            channel.chmod(0700, SftpChannel.name(file));
            return true;
        });
    }

    /** What cannot be deleted is told again by the next call. */
    @Override
    public Map<String, String> take(Path directory) throws IOException {
        List<String> names = new ArrayList<>(list(directory).keySet());
        if (names.isEmpty()) {
            return Map.of();
        }
        listings.clear();
        List<String> some = names.subList(0, Math.min(names.size(), MOST_NAMES));
        String go = "cd " + quoted(directory) + " && ";
        String files = SshShell.line(some);
        String output = shell.script(
                go + "for f in " + files + "; do printf '\\001%s\\n' \"$f\"; cat -- \"$f\"; done", NOTHING, LIMIT);
        Map<String, String> texts = new TreeMap<>();
        for (String each : output.split("\u0001", -1)) {
            int end = each.indexOf('\n');
            if (end > 0) {
                texts.put(each.substring(0, end), each.substring(end + 1));
            }
        }
        try {
            shell.script(go + "rm -f -- " + files, NOTHING, LIMIT);
        } catch (IOException e) {
            System.getLogger(SshFiles.class.getName())
                    .log(System.Logger.Level.DEBUG, "News that were read are read again.", e);
        }
        return texts;
    }

    @Override
    public byte[] read(Path file, long from, int most) throws IOException {
        if (knownSize(file) <= from) {
            return NOTHING;
        }
        return sftp.runIfThere("get", NOTHING, channel -> {
            try (InputStream input = channel.get(SftpChannel.name(file), null, from)) {
                return input.readNBytes(most);
            }
        });
    }

    private long knownSize(Path file) throws IOException {
        Path directory = Objects.requireNonNull(file.getParent());
        Listing listing = listings.get(directory);
        if (listing == null || System.nanoTime() - listing.takenNs() > LISTING_VALID_NS) {
            Map<String, Long> sizes = list(directory);
            listing = new Listing(System.nanoTime(), sizes);
            listings.put(directory, listing);
        }
        return listing.sizes().getOrDefault(String.valueOf(file.getFileName()), 0L);
    }

    private Map<String, Long> list(Path directory) throws IOException {
        return sftp.runIfThere("ls", Map.of(), channel -> {
            Map<String, Long> sizes = new TreeMap<>();
            channel.ls(SftpChannel.name(directory), entry -> {
                if (!entry.getAttrs().isDir()) {
                    sizes.put(entry.getFilename(), entry.getAttrs().getSize());
                }
                return ChannelSftp.LsEntrySelector.CONTINUE;
            });
            return sizes;
        });
    }

    @Override
    public long size(Path file) throws IOException {
        listings.clear();
        return knownSize(file);
    }

    @Override
    public void delete(Path file) throws IOException {
        if (connection.isLeaving()) {
            // All goes at once in a moment.
            return;
        }
        sftp.runIfThere("rm", false, channel -> {
            channel.rm(SftpChannel.name(file));
            return true;
        });
    }

    @Override
    public void deleteTree(Path directory) throws IOException {
        String words = quoted(directory);
        shell.script(
                "for attempt in 1 2 3 4 5; do rm -rf " + words + " 2>/dev/null; [ -e " + words
                        + " ] || exit 0; done; exec rm -rf " + words,
                NOTHING,
                connection.isLeaving() ? LAST_LIMIT : LIMIT);
    }

    private static String quoted(Path file) {
        return BatchScript.quoted(file.toString());
    }
}
