// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes.boot;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Fetches files by their content, according to a plan. The plan's first line is the URL to which digests are appended.
 * Each other line has the SHA-256 of a file, a blank and its destination. A file with another content is not kept. A
 * cache keeps files under their digests for other pods, and removes those that are unused for 30 days.
 */
public final class Fetch {

    /** The exit code if the cache cannot be written. */
    public static final int CACHE_FAILED = 4;

    private static final String PART = ".part";
    private static final int DIGEST_LENGTH = 64;
    private static final int ATTEMPTS = 6;
    private static final long PAUSE_MS = 500;
    private static final int CONNECT_LIMIT_MS = 5_000;
    private static final int READ_LIMIT_MS = 60_000;
    private static final int FAILED = 3;
    private static final Duration KEPT_UNUSED = Duration.ofDays(30);
    private static final Duration MARKED_USED = Duration.ofDays(1);

    private final Path directory;
    private final @Nullable Path cache;
    private boolean hasKept;
    private boolean isCacheBad;

    private Fetch(Path directory, @Nullable Path cache) {
        this.directory = directory;
        this.cache = cache;
    }

    /**
     * Fetches everything in a plan, or exits with code 3, or {@value #CACHE_FAILED} if the cache is why.
     *
     * @param arguments the file with the plan, the destination directory, and the directory of the cache, if there is
     *     one
     */
    public static void main(String[] arguments) {
        Path cache = arguments.length > 2 ? Path.of(arguments[2]) : null;
        Fetch fetch = new Fetch(Path.of(arguments[1]), cache);
        try {
            fetch.fetch(Files.readAllLines(Path.of(arguments[0])));
        } catch (IOException | InterruptedException | NoSuchAlgorithmException e) {
            System.err.println((fetch.isCacheBad
                            ? "The cache of class paths cannot be written: "
                            : "The class path could not be fetched: ")
                    + e.getMessage());
            System.exit(fetch.isCacheBad ? CACHE_FAILED : FAILED);
        }
    }

    private void fetch(List<String> plan) throws IOException, InterruptedException, NoSuchAlgorithmException {
        String place = plan.get(0);
        for (String line : plan.subList(1, plan.size())) {
            int blank = line.indexOf(' ');
            Path file = directory.resolve(line.substring(blank + 1));
            if (!Files.exists(file)) {
                Files.createDirectories(file.toAbsolutePath().getParent());
                fetch(place, line.substring(0, blank), file);
            }
        }
        if (hasKept && cache != null) {
            removeUnused(cache);
        }
    }

    private void fetch(String place, String digest, Path file)
            throws IOException, InterruptedException, NoSuchAlgorithmException {
        if (cache != null && isTaken(cache.resolve(digest), digest, file)) {
            return;
        }
        for (int attempt = 1; !isFetched(place, digest, file, attempt); attempt++) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MS * attempt);
        }
        if (cache != null) {
            keep(file, digest, cache);
        }
    }

    private static boolean isFetched(String place, String digest, Path file, int attempt)
            throws IOException, NoSuchAlgorithmException {
        try {
            fetchOnce(URI.create(place + digest), digest, file);
            return true;
        } catch (IOException e) {
            if (attempt == ATTEMPTS) {
                // The URL contains a token.
                URI where = URI.create(place);
                throw new IOException(
                        file.getFileName() + " from " + where.getHost() + ":" + where.getPort() + ": " + e, e);
            }
            return false;
        }
    }

    private static void fetchOnce(URI from, String digest, Path file) throws IOException, NoSuchAlgorithmException {
        HttpURLConnection connection = (HttpURLConnection) from.toURL().openConnection();
        connection.setConnectTimeout(CONNECT_LIMIT_MS);
        connection.setReadTimeout(READ_LIMIT_MS);
        int status = connection.getResponseCode();
        if (status != HttpURLConnection.HTTP_OK) {
            connection.disconnect();
            throw new IOException("the answer was " + status);
        }
        write(connection.getInputStream(), digest, file);
    }

    /** Writes a file, checks its content, and closes the source. */
    private static void write(InputStream content, String digest, Path file)
            throws IOException, NoSuchAlgorithmException {
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        Path part = file.resolveSibling(file.getFileName() + PART);
        try (InputStream in = new DigestInputStream(content, sha)) {
            Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        }
        String arrived = HexFormat.of().formatHex(sha.digest());
        if (!arrived.equals(digest)) {
            throw new IOException("its SHA-256 is " + arrived + "; expected " + digest);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Returns whether the cache has the file with this content; otherwise it has to be fetched. */
    private static boolean isTaken(Path kept, String digest, Path file) throws NoSuchAlgorithmException {
        try {
            write(Files.newInputStream(kept), digest, file);
            Instant now = Instant.now();
            if (Files.getLastModifiedTime(kept).toInstant().isBefore(now.minus(MARKED_USED))) {
                Files.setLastModifiedTime(kept, FileTime.from(now));
            }
            return true;
        } catch (IOException e) {
            return Files.exists(file);
        }
    }

    private void keep(Path file, String digest, Path cache) throws IOException {
        try {
            Path part = cache.resolve(UUID.randomUUID() + PART);
            try {
                Files.copy(file, part);
                Files.move(part, cache.resolve(digest), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(part);
            }
            hasKept = true;
        } catch (IOException e) {
            isCacheBad = true;
            throw new IOException(e.toString(), e);
        }
    }

    private static void removeUnused(Path cache) {
        Instant limit = Instant.now().minus(KEPT_UNUSED);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(cache)) {
            for (Path file : files) {
                String name = String.valueOf(file.getFileName());
                try {
                    if ((name.length() == DIGEST_LENGTH || name.endsWith(PART))
                            && Files.getLastModifiedTime(file).toInstant().isBefore(limit)) {
                        Files.delete(file);
                    }
                } catch (IOException e) {
                    // Another pod has just removed or renamed it, or only its owner may remove it.
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            System.err.println("Unused class paths stay in the cache: " + e);
        }
    }
}
