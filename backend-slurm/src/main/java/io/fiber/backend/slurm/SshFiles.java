// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.slurm.ssh.SshHost;
import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.SharedFiles;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The shared directory as a login node has it. A look for news starts no process there, and one at the sizes of files one. */
final class SshFiles implements SharedFiles {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    /** A removal goes on there when this process no longer waits for it. */
    private static final Duration LAST_LIMIT = Duration.ofMillis(1500);

    private static final long LISTING_VALID_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int MOST_NAMES = 500;

    private final SshHost host;
    private final Map<Path, Listing> listings = new ConcurrentHashMap<>();

    /** The sizes of the files of a directory, so that one look at many files asks once. */
    private record Listing(long takenNs, Map<String, Long> sizes) {}

    SshFiles(SshHost host) {
        this.host = host;
    }

    @Override
    public boolean isHere() {
        return false;
    }

    /** All files go in one piece: each of its own would take a way there and back. */
    @Override
    public void makeDirectory(Path directory, Map<String, byte[]> files) throws IOException {
        String words = quoted(directory);
        String begin = "if [ -e " + words + " ]; then echo there; else umask 077; mkdir -p " + words;
        byte[] archive = TarArchive.of(files);
        try {
            String answer = files.isEmpty()
                    ? host.script(begin + "; fi", LIMIT)
                    : host.script(
                            begin + " && cd " + words + " && " + receive(".archive", archive.length)
                                    + " && tar -xf .archive && rm -f .archive; fi",
                            to -> to.write(archive),
                            LIMIT);
            if (answer.equals("there\n")) {
                throw new FileAlreadyExistsException(directory.toString());
            }
        } finally {
            Arrays.fill(archive, (byte) 0);
        }
    }

    /** The size is counted, for a connection that breaks looks like an end of input. */
    private static String receive(String quotedName, int size) {
        return "cat >" + quotedName + " && [ $(wc -c <" + quotedName + ") -eq " + size + " ]";
    }

    @Override
    public void mark(Collection<Path> files) throws IOException {
        if (!files.isEmpty()) {
            String names = SshHost.line(files.stream().map(Path::toString).toList());
            host.script("umask 077; for f in " + names + "; do : >\"$f\" || exit 1; done", LIMIT);
        }
    }

    @Override
    public void write(Path file, byte[] content) throws IOException {
        String name = quoted(file);
        String part = quoted(file.resolveSibling(file.getFileName() + ".part"));
        host.script(
                "umask 077; " + receive(part, content.length) + " && mv -f " + part + " " + name + " || { rm -f " + part
                        + "; exit 1; }",
                to -> to.write(content),
                LIMIT);
    }

    @Override
    public void makeExecutable(Path file) throws IOException {
        host.script("chmod 700 " + quoted(file), LIMIT);
    }

    /** What cannot be deleted is told again by the next call. */
    @Override
    public Map<String, String> take(Path directory) throws IOException {
        String go = "[ -d " + quoted(directory) + " ] || exit 0; cd " + quoted(directory) + " || exit 1; ";
        String output = host.script(
                go + "left=" + MOST_NAMES + "; for f in *; do [ -f \"$f\" ] || continue; printf '\\001%s\\n' \"$f\";"
                        + " cat -- \"$f\"; left=$((left - 1)); [ $left -gt 0 ] || break; done",
                LIMIT);
        Map<String, String> texts = new TreeMap<>();
        for (String each : output.split("\u0001", -1)) {
            int end = each.indexOf('\n');
            if (end > 0) {
                texts.put(each.substring(0, end), each.substring(end + 1));
            }
        }
        if (texts.isEmpty()) {
            return texts;
        }
        listings.clear();
        try {
            host.script(go + "rm -f -- " + SshHost.line(List.copyOf(texts.keySet())), LIMIT);
        } catch (IOException e) {
            System.getLogger(SshFiles.class.getName())
                    .log(System.Logger.Level.DEBUG, "News that were read are read again.", e);
        }
        return texts;
    }

    @Override
    public byte[] read(Path file, long from, int most) throws IOException {
        if (knownSize(file) <= from) {
            return new byte[0];
        }
        String name = quoted(file);
        return host.bytes(
                "[ ! -e " + name + " ] || tail -c +" + (from + 1) + " -- " + name + " | head -c " + most,
                Optional.empty(),
                LIMIT);
    }

    private long knownSize(Path file) throws IOException {
        Path directory = Objects.requireNonNull(file.getParent());
        Listing listing = listings.get(directory);
        if (listing == null || System.nanoTime() - listing.takenNs() > LISTING_VALID_NS) {
            Map<String, Long> sizes = sizes(directory);
            listing = new Listing(System.nanoTime(), sizes);
            listings.put(directory, listing);
        }
        return listing.sizes().getOrDefault(String.valueOf(file.getFileName()), 0L);
    }

    private Map<String, Long> sizes(Path directory) throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        host.script(
                        "[ ! -d " + quoted(directory) + " ] || find " + quoted(directory)
                                + " -ignore_readdir_race -maxdepth 1 -type f -printf '%s %f\\n'",
                        LIMIT)
                .lines()
                .map(line -> line.split(" ", 2))
                .forEach(line -> sizes.put(line[1], Long.valueOf(line[0])));
        return sizes;
    }

    @Override
    public long size(Path file) throws IOException {
        listings.clear();
        return knownSize(file);
    }

    @Override
    public void delete(Path file) throws IOException {
        // When all goes at once in a moment, this is for nothing.
        if (!host.isLeaving()) {
            host.script("rm -f -- " + quoted(file), LIMIT);
        }
    }

    @Override
    public void deleteTree(Path directory) throws IOException {
        String words = quoted(directory);
        host.script(
                "for attempt in 1 2 3 4 5; do rm -rf " + words + " 2>/dev/null; [ -e " + words
                        + " ] || exit 0; done; exec rm -rf " + words,
                host.isLeaving() ? LAST_LIMIT : LIMIT);
    }

    private static String quoted(Path file) {
        return BatchScript.quoted(file.toString());
    }
}
