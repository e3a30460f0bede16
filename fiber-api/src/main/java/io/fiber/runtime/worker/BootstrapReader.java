// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.spi.Environment;
import io.fiber.spi.backend.JobSpec;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Reads the bootstrap from where the backend put it, and watches for the end of whoever holds the other end. */
final class BootstrapReader {

    private static final String FROM_STDIN = "stdin";
    private static final String FROM_FILE = "file:";
    private static final int GREATEST_BYTES = 1 << 20;

    private BootstrapReader() {}

    /**
     * Reads the bootstrap. When it came by standard input, {@code onMasterGone} is run by a thread of its own once that
     * stream has ended, and the program sees an empty standard input.
     *
     * @throws IOException when there is none, or it is damaged
     */
    static Bootstrap read(Environment environment, Runnable onMasterGone) throws IOException {
        String place = environment
                .variable(JobSpec.BOOTSTRAP_VARIABLE)
                .orElseThrow(() -> new IOException("The environment variable " + JobSpec.BOOTSTRAP_VARIABLE
                        + " is not set. A worker is started by a session of Fiber, not by hand."));
        byte[] bytes;
        if (place.equals(FROM_STDIN)) {
            InputStream stdin = System.in;
            System.setIn(InputStream.nullInputStream());
            bytes = readFrame(stdin);
            watch(stdin, onMasterGone);
        } else if (place.startsWith(FROM_FILE)) {
            bytes = Files.readAllBytes(Path.of(place.substring(FROM_FILE.length())));
        } else {
            throw new IOException("The environment variable " + JobSpec.BOOTSTRAP_VARIABLE + " is '" + place
                    + "'; expected 'stdin' or 'file:' and an absolute path.");
        }
        Bootstrap bootstrap = Bootstrap.decode(bytes);
        Arrays.fill(bytes, (byte) 0);
        return bootstrap;
    }

    private static byte[] readFrame(InputStream stdin) throws IOException {
        DataInputStream in = new DataInputStream(stdin);
        int length = in.readInt();
        if (length <= 0 || length > GREATEST_BYTES) {
            throw new IOException("A bootstrap of " + length + " bytes was announced.");
        }
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    private static void watch(InputStream stdin, Runnable onEnd) {
        Thread watcher = new Thread(
                () -> {
                    try {
                        while (stdin.read() >= 0) {
                            // What comes after the bootstrap means nothing.
                        }
                    } catch (IOException e) {
                        // The other end is gone either way.
                    }
                    onEnd.run();
                },
                "fiber-parent-watch");
        watcher.setDaemon(true);
        watcher.start();
    }
}
