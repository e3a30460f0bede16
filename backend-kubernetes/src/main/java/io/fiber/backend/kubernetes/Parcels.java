// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.spi.backend.JobRejectedException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** The entries of class paths as files that are known by their content. Thread-safe; reads every entry once. */
final class Parcels {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int SHORT_DIGEST = 12;

    /** The first moment that a zip file can name: equal directories make equal files. */
    private static final long NO_TIME_MS = 315_576_000_000L;

    private final Path scratch;
    private final Map<String, Parcel> byPath = new LinkedHashMap<>();
    private final Map<String, Path> byDigest = new HashMap<>();
    private final List<Path> packed = new ArrayList<>();

    /**
     * An entry.
     *
     * @param sha256 of its content, in hexadecimal digits
     * @param name where it lies in a pod, below the directory of class paths; the end is its name here, because module
     *     names come from there
     * @param file where it is here
     */
    record Parcel(String sha256, String name, Path file) {}

    /**
     * Creates it.
     *
     * @param scratch a directory for what has to be packed
     */
    Parcels(Path scratch) {
        this.scratch = scratch;
    }

    /**
     * Returns the entries that exist, in their order. A directory becomes a jar.
     *
     * @throws JobRejectedException FBR-178 when an entry cannot be read
     */
    synchronized List<Parcel> of(Collection<String> entries) {
        List<Parcel> parcels = new ArrayList<>();
        for (String entry : entries) {
            Path path = Path.of(entry).toAbsolutePath().normalize();
            if (!Files.exists(path)) {
                continue;
            }
            try {
                Parcel known = byPath.get(path.toString());
                Parcel parcel = known != null ? known : parcelOf(path);
                byPath.put(path.toString(), parcel);
                byDigest.put(parcel.sha256(), parcel.file());
                parcels.add(parcel);
            } catch (IOException | UncheckedIOException e) {
                throw new JobRejectedException(
                        "FBR-178 The entry '" + path + "' of the class path cannot be sent to pods: " + e
                                + ". Every entry must be a jar or a directory that this program can read.",
                        e);
            }
        }
        return parcels;
    }

    /** Returns the file with this content. */
    synchronized Optional<Path> find(String sha256) {
        return Optional.ofNullable(byDigest.get(sha256));
    }

    private Parcel parcelOf(Path path) throws IOException {
        boolean directory = Files.isDirectory(path);
        Path file = directory ? pack(path) : path;
        String digest = digest(file);
        String name = path.getFileName() + (directory ? ".jar" : "");
        return new Parcel(digest, digest.substring(0, SHORT_DIGEST) + "/" + name, file);
    }

    private Path pack(Path directory) throws IOException {
        Path jar = Files.createTempFile(scratch, "class-path", ".jar");
        packed.add(jar);
        try (ZipOutputStream zip = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(jar)));
                Stream<Path> walk = Files.walk(directory)) {
            for (Path file : walk.sorted().toList()) {
                String name = directory.relativize(file).toString().replace('\\', '/');
                if (!name.isEmpty()) {
                    add(zip, file, name);
                }
            }
        }
        return jar;
    }

    private static void add(ZipOutputStream zip, Path file, String name) throws IOException {
        boolean directory = Files.isDirectory(file);
        ZipEntry entry = new ZipEntry(directory ? name + "/" : name);
        entry.setTime(NO_TIME_MS);
        zip.putNextEntry(entry);
        if (!directory) {
            Files.copy(file, zip);
        }
        zip.closeEntry();
    }

    private static String digest(Path file) throws IOException {
        MessageDigest sha = sha256();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                sha.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Removes what was packed. */
    synchronized void close() {
        for (Path jar : packed) {
            try {
                Files.deleteIfExists(jar);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        packed.clear();
        byPath.clear();
        byDigest.clear();
    }
}
