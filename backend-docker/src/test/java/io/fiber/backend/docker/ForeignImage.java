// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** An image on the engine, until this is closed, whose java is a program for another architecture than the engine's. */
final class ForeignImage implements AutoCloseable {

    static final String NAME = "fiber-test:foreign";

    private static final int EXECUTABLE = 0100755;
    private static final int ELF_HEADER_BYTES = 64;
    private static final short S390 = 22;

    private final Engine engine;

    ForeignImage(Engine engine) throws IOException, NoSuchAlgorithmException {
        this.engine = engine;
        byte[] layer = tar(Map.of("bin/java", program()));
        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(layer));
        String configuration =
                "{\"architecture\": \"s390x\", \"os\": \"linux\", \"config\": {\"Env\": [\"PATH=/bin\"]},"
                        + " \"rootfs\": {\"type\": \"layers\", \"diff_ids\": [\"sha256:" + digest + "\"]}}";
        String manifest =
                "[{\"Config\": \"config.json\", \"RepoTags\": [\"" + NAME + "\"], \"Layers\": [\"layer.tar\"]}]";
        byte[] image =
                tar(Map.of("layer.tar", layer, "config.json", bytes(configuration), "manifest.json", bytes(manifest)));
        engine.tell(
                docker -> docker.loadImageCmd(new ByteArrayInputStream(image)).exec());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** An executable of 64 bits whose bytes are in the order that no machine of this test has. */
    private static byte[] program() {
        return ByteBuffer.allocate(2 * ELF_HEADER_BYTES)
                .order(ByteOrder.BIG_ENDIAN)
                .put(new byte[] {0x7f, 'E', 'L', 'F', 2, 2, 1})
                .putShort(16, (short) 2)
                .putShort(18, S390)
                .array();
    }

    private static byte[] tar(Map<String, byte[]> files) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                TarArchiveEntry entry = new TarArchiveEntry(file.getKey());
                entry.setMode(EXECUTABLE);
                entry.setSize(file.getValue().length);
                tar.putArchiveEntry(entry);
                tar.write(file.getValue());
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        engine.tellIfThere(docker -> docker.removeImageCmd(NAME).withForce(true).exec());
    }
}
