// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** The class path of this test as a module path: jars as they are, directories of classes as the jars they will become. */
final class ModulePath {

    /** A package that a directory holds, and the name of the automatic module that its jar declares. */
    private static final Map<String, String> AUTOMATIC = Map.of(
            "io/fiber/examples", "io.fiber.examples",
            "io/fiber/backend/local", "io.fiber.backend.local",
            "io/fiber/backend/support", "io.fiber.backend.support",
            "io/fiber/transport/aeron", "io.fiber.transport.aeron",
            "io/fiber/transport/socket", "io.fiber.transport.socket");

    private ModulePath() {}

    /** Returns the entries that a program needs, joined; jars are made in {@code directory}. */
    static String of(Path directory) throws IOException {
        List<String> entries = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            String name = path.getFileName().toString();
            if (Files.isDirectory(path)) {
                addDirectory(path, directory, entries);
            } else if (name.startsWith("fiber-") || name.startsWith("agrona-") || name.startsWith("aeron-")) {
                entries.add(entry);
            }
        }
        return String.join(File.pathSeparator, entries);
    }

    private static void addDirectory(Path classes, Path directory, List<String> entries) throws IOException {
        if (classes.endsWith("test-classes")) {
            return;
        }
        if (Files.exists(classes.resolve("module-info.class"))) {
            entries.add(classes.toString());
            return;
        }
        for (Map.Entry<String, String> known : AUTOMATIC.entrySet()) {
            if (Files.isDirectory(classes.resolve(known.getKey()))) {
                Path jar = directory.resolve(known.getValue() + ".jar");
                writeJar(classes, known.getValue(), jar);
                entries.add(jar.toString());
            }
        }
    }

    private static void writeJar(Path classes, String module, Path jar) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Automatic-Module-Name"), module);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest);
                Stream<Path> files = Files.walk(classes)) {
            files.filter(Files::isRegularFile).forEach(source -> copy(classes, source, out));
        }
    }

    private static void copy(Path classes, Path source, JarOutputStream out) {
        try {
            out.putNextEntry(new JarEntry(classes.relativize(source).toString().replace(File.separatorChar, '/')));
            Files.copy(source, out);
            out.closeEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
