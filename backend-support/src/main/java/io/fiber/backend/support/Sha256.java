// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Calculates SHA-256 hashes, those of files and texts in hexadecimal digits. */
public final class Sha256 {

    private Sha256() {}

    /** Returns the hash of the content of a file. */
    public static String of(Path file) throws IOException {
        MessageDigest digest = start();
        try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
            Files.copy(file, out);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns the hash of a text in UTF-8. */
    public static String of(String text) {
        return HexFormat.of().formatHex(digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns the hash of bytes, as bytes. */
    public static byte[] digest(byte[] bytes) {
        return start().digest(bytes);
    }

    private static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
