// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/** Jars that a test makes. */
public final class ProgramJars {

    private ProgramJars() {}

    /** Writes a jar with classes of the tests, and one file with these words; of the same things always the same bytes. */
    public static Path write(Path file, String words, Class<?>... types) throws IOException {
        Map<String, byte[]> content = new TreeMap<>();
        for (Class<?> type : types) {
            content.put(name(type), bytes(type));
        }
        content.put("words.txt", words.getBytes(StandardCharsets.UTF_8));
        return write(file, content);
    }

    /** Writes a jar with all classes of a directory, and one file with these words. */
    static Path write(Path file, String words, Path classes) throws IOException {
        Map<String, byte[]> content = new TreeMap<>();
        try (Stream<Path> all = Files.walk(classes)) {
            for (Path each : all.filter(Files::isRegularFile).toList()) {
                content.put(classes.relativize(each).toString(), Files.readAllBytes(each));
            }
        }
        content.put("words.txt", words.getBytes(StandardCharsets.UTF_8));
        return write(file, content);
    }

    /** Copies a class of the tests into a directory of classes. */
    static void copy(Class<?> type, Path classes) throws IOException {
        Path file = classes.resolve(name(type));
        Files.createDirectories(file.getParent());
        Files.write(file, bytes(type));
    }

    private static String name(Class<?> type) {
        return type.getName().replace('.', '/') + ".class";
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        try (InputStream bytes = type.getResourceAsStream("/" + name(type))) {
            if (bytes == null) {
                throw new IOException("There is no " + name(type) + " on the class path.");
            }
            return bytes.readAllBytes();
        }
    }

    private static Path write(Path file, Map<String, byte[]> content) throws IOException {
        try (OutputStream bytes = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> each : content.entrySet()) {
                jar.putNextEntry(entry(each.getKey()));
                jar.write(each.getValue());
            }
        }
        return file;
    }

    private static JarEntry entry(String name) {
        JarEntry entry = new JarEntry(name);
        entry.setTimeLocal(LocalDateTime.of(2025, 1, 1, 0, 0));
        return entry;
    }
}
