// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Several files in one piece, as {@code tar} takes it: each may be read by its owner alone. */
final class TarArchive {

    private static final int BLOCK_BYTES = 512;
    private static final int SUM_BEGINS = 148;
    private static final int SUM_ENDS = 156;
    private static final int LONGEST_NAME = 100;

    private TarArchive() {}

    /**
     * Returns the archive.
     *
     * @param files content by name, which has at most 100 signs, all of them of ASCII
     */
    static byte[] of(Map<String, byte[]> files) {
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        files.forEach((name, content) -> {
            archive.writeBytes(header(name, content.length));
            archive.writeBytes(content);
            archive.writeBytes(new byte[-content.length & (BLOCK_BYTES - 1)]);
        });
        archive.writeBytes(new byte[2 * BLOCK_BYTES]);
        return archive.toByteArray();
    }

    /**
     * Writes the archive of files of this host, which have their place in the list as a name.
     *
     * @throws IOException when one cannot be read or the archive cannot be written
     */
    static void write(List<Path> files, OutputStream to) throws IOException {
        for (int i = 0; i < files.size(); i++) {
            long size = Files.size(files.get(i));
            to.write(header(String.valueOf(i), size));
            Files.copy(files.get(i), to);
            to.write(new byte[(int) (-size & (BLOCK_BYTES - 1))]);
        }
        to.write(new byte[2 * BLOCK_BYTES]);
    }

    private static byte[] header(String name, long size) {
        if (name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException("The name '" + name + "' is longer than 100 signs.");
        }
        byte[] header = new byte[BLOCK_BYTES];
        put(header, 0, name);
        put(header, 100, "0000600");
        put(header, 108, "0000000");
        put(header, 116, "0000000");
        put(header, 124, String.format("%011o", size));
        put(header, 136, String.format("%011o", System.currentTimeMillis() / 1000));
        put(header, SUM_BEGINS, " ".repeat(SUM_ENDS - SUM_BEGINS));
        put(header, SUM_ENDS, "0");
        put(header, 257, "ustar\u000000");
        int sum = 0;
        for (byte each : header) {
            sum += each & 0xff;
        }
        put(header, SUM_BEGINS, String.format("%06o\u0000 ", sum));
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
