// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.FiberException;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Parses a class path in the syntax of {@code java -cp}. */
public final class ClassPath {

    private ClassPath() {}

    /** Returns the entries, with {@code lib/*} replaced by the jars there, in the order of their names. */
    public static List<String> entries(String text) {
        List<String> entries = new ArrayList<>();
        for (String entry : text.split(File.pathSeparator, -1)) {
            entries.addAll(expanded(entry));
        }
        return List.copyOf(entries);
    }

    /** Returns the entries, as written, that have no effect: a missing file, or {@code lib/*} without a jar. */
    public static List<String> missing(String text) {
        return Stream.of(text.split(File.pathSeparator, -1))
                .filter(entry -> expanded(entry).stream().map(Path::of).noneMatch(Files::exists))
                .toList();
    }

    private static List<String> expanded(String entry) {
        if (entry.equals("*") || entry.endsWith("/*") || entry.endsWith(File.separator + "*")) {
            return jarsIn(Path.of(entry.equals("*") ? "." : entry.substring(0, entry.length() - 1)));
        }
        // For java, an empty entry is the directory in which it is started.
        return List.of(entry.isEmpty() ? "." : entry);
    }

    private static List<String> jarsIn(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        List<String> jars = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                if (file.toString().toLowerCase(Locale.ROOT).endsWith(".jar")) {
                    jars.add(file.toString());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        jars.sort(null);
        return jars;
    }

    /**
     * Returns a class loader that sees this class path, but only the contracts of this command. The providers that it
     * finds are those that a program with this class path finds. The files stay open until it is closed.
     */
    public static URLClassLoader loader(List<String> entries) {
        List<URL> urls = new ArrayList<>();
        for (String entry : entries) {
            try {
                urls.add(Path.of(entry).toAbsolutePath().toUri().toURL());
            } catch (MalformedURLException e) {
                throw new FiberException("FBR-530", "The class path has the entry '" + entry + "': " + e, e);
            }
        }
        return new URLClassLoader("program", urls.toArray(URL[]::new), new Contracts());
    }

    /**
     * Shares the types of the contracts, which must be the same for this command and for providers, and nothing else.
     */
    private static final class Contracts extends ClassLoader {
        private static final List<String> PACKAGES = List.of("io.fiber.spec.", "io.fiber.spi.");

        Contracts() {
            super("contracts", ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (PACKAGES.stream().anyMatch(name::startsWith)) {
                return Class.forName(name, false, ClassPath.class.getClassLoader());
            }
            throw new ClassNotFoundException(name);
        }
    }
}
