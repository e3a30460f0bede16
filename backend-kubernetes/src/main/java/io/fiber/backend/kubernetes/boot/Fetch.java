// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes.boot;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Fetches files by their content: a plan names a place and, for each file, its SHA-256 and where it shall lie. What arrives
 * with another content is not kept. The plan's first line is the URL that digests are appended to; each other line is a
 * digest, a blank and a path.
 */
public final class Fetch {

    private static final int ATTEMPTS = 6;
    private static final long PAUSE_MS = 500;
    private static final int CONNECT_LIMIT_MS = 5_000;
    private static final int READ_LIMIT_MS = 60_000;
    private static final int FAILED = 3;

    private Fetch() {}

    /**
     * Fetches everything that a plan names, or ends with code 3.
     *
     * @param arguments the file with the plan, and the directory that the files go to
     */
    public static void main(String[] arguments) {
        try {
            fetch(Files.readAllLines(Path.of(arguments[0])), Path.of(arguments[1]));
        } catch (IOException | InterruptedException | NoSuchAlgorithmException e) {
            System.err.println("The class path could not be fetched: " + e.getMessage());
            System.exit(FAILED);
        }
    }

    static void fetch(List<String> plan, Path directory)
            throws IOException, InterruptedException, NoSuchAlgorithmException {
        String place = plan.get(0);
        for (String line : plan.subList(1, plan.size())) {
            int blank = line.indexOf(' ');
            fetch(place, line.substring(0, blank), directory.resolve(line.substring(blank + 1)));
        }
    }

    private static void fetch(String place, String digest, Path file)
            throws IOException, InterruptedException, NoSuchAlgorithmException {
        if (Files.exists(file)) {
            return;
        }
        Files.createDirectories(file.toAbsolutePath().getParent());
        for (int attempt = 1; ; attempt++) {
            try {
                fetchOnce(URI.create(place + digest), digest, file);
                return;
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    // The place has a token in it.
                    URI where = URI.create(place);
                    throw new IOException(
                            file.getFileName() + " from " + where.getHost() + ":" + where.getPort() + ": " + e, e);
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS * attempt);
            }
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
        MessageDigest sha = MessageDigest.getInstance("SHA-256");
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (InputStream in = new DigestInputStream(connection.getInputStream(), sha)) {
            Files.copy(in, part, StandardCopyOption.REPLACE_EXISTING);
        }
        String arrived = HexFormat.of().formatHex(sha.digest());
        if (!arrived.equals(digest)) {
            throw new IOException("its SHA-256 is " + arrived + "; expected " + digest);
        }
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
