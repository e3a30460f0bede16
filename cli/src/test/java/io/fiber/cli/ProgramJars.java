// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Jars that a test makes. */
public final class ProgramJars {

    private ProgramJars() {}

    /** Writes a jar with classes of the tests, and one file with these words; of the same things always the same bytes. */
    public static Path write(Path file, String words, Class<?>... types) throws IOException {
        try (OutputStream bytes = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(bytes)) {
            for (Class<?> type : types) {
                String name = type.getName().replace('.', '/') + ".class";
                jar.putNextEntry(entry(name));
                try (InputStream content = type.getResourceAsStream("/" + name)) {
                    if (content == null) {
                        throw new IOException("There is no " + name + " on the class path.");
                    }
                    content.transferTo(jar);
                }
            }
            jar.putNextEntry(entry("words.txt"));
            jar.write(words.getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }

    private static JarEntry entry(String name) {
        JarEntry entry = new JarEntry(name);
        entry.setTimeLocal(LocalDateTime.of(2025, 1, 1, 0, 0));
        return entry;
    }
}
