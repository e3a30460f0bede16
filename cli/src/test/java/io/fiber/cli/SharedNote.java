// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program whose worker writes a file, and which reads it. */
public final class SharedNote {

    private SharedNote() {}

    static String write(String file) throws IOException {
        Files.writeString(Path.of(file), "a note of " + host());
        return host();
    }

    private static String host() {
        return System.getenv("HOSTNAME");
    }

    /** The first argument is the file. */
    public static void main(String[] arguments) throws IOException {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(1)) {
            String file = arguments[0];
            String writer = pool.apply(() -> write(file));
            boolean isOther = !writer.equals(host());
            System.out.println("read " + Files.readString(Path.of(file)) + ", another pod: " + isOther);
        }
    }
}
