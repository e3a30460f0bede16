// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/**
 * Finds the files behind the paths of a {@link Program.Java}, which a backend must send if its jobs do not see this
 * host's files. Reads the disk; holds no state.
 */
public final class ProgramFiles {

    private ProgramFiles() {}

    /**
     * Returns the jars and directories that java reads for a class path, each once, in the order in which java searches
     * them. A wildcard stands for the jars of a directory. The {@code Class-Path} in a jar's manifest adds entries
     * after that jar. Missing files and names that are not file names are left out.
     *
     * @param entries as this host names them
     * @throws FileSystemException with the name of the file that cannot be read
     */
    public static List<Path> ofClassPath(List<String> entries) throws FileSystemException {
        Set<Path> files = new LinkedHashSet<>();
        for (String entry : entries) {
            if (entry.equals("*") || entry.endsWith("/*")) {
                for (Path jar : jarsIn(Path.of(entry.substring(0, entry.length() - 1)))) {
                    addWithManifest(jar, files);
                }
            } else {
                addWithManifest(Path.of(entry), files);
            }
        }
        return List.copyOf(files);
    }

    /**
     * Returns the jars and directories of single modules for a module path, in their order. A directory of jars stands
     * for its jars. Missing files are left out.
     *
     * @param entries as this host names them
     * @throws FileSystemException with the name of the directory that cannot be read
     */
    public static List<Path> ofModulePath(List<String> entries) throws FileSystemException {
        Set<Path> files = new LinkedHashSet<>();
        for (String entry : entries) {
            Path path = Path.of(entry).toAbsolutePath().normalize();
            if (Files.isDirectory(path) && !Files.exists(path.resolve("module-info.class"))) {
                files.addAll(jarsIn(path));
            } else if (Files.exists(path)) {
                files.add(path);
            }
        }
        return List.copyOf(files);
    }

    private static List<Path> jarsIn(Path directory) throws FileSystemException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory.toAbsolutePath().normalize())) {
            return files.filter(file -> file.toString().matches("(?i).*\\.jar"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw unreadable(directory, e);
        }
    }

    private static void addWithManifest(Path entry, Set<Path> files) throws FileSystemException {
        Path file = entry.toAbsolutePath().normalize();
        if (!Files.exists(file) || !files.add(file) || Files.isDirectory(file)) {
            return;
        }
        for (String reference : classPathOfManifest(file).strip().split("\\s+", -1)) {
            if (!reference.isEmpty()) {
                Optional<Path> named = resolved(file, reference);
                if (named.isPresent()) {
                    addWithManifest(named.get(), files);
                }
            }
        }
    }

    private static Optional<Path> resolved(Path jar, String reference) {
        try {
            URI uri = jar.toUri().resolve(reference);
            return "file".equalsIgnoreCase(uri.getScheme()) ? Optional.of(Path.of(uri)) : Optional.empty();
        } catch (IllegalArgumentException e) {
            // For example C:\lib\a.jar, which java does not find either.
            return Optional.empty();
        }
    }

    private static String classPathOfManifest(Path file) throws FileSystemException {
        try (JarFile jar = new JarFile(file.toFile())) {
            Manifest manifest = jar.getManifest();
            String value =
                    manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.CLASS_PATH);
            return value == null ? "" : value;
        } catch (ZipException e) {
            // Not a jar: it is sent unchanged, and java ignores it there, too.
            return "";
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static FileSystemException unreadable(Path path, IOException failure) {
        FileSystemException named = new FileSystemException(path.toString(), null, failure.toString());
        named.initCause(failure);
        return named;
    }
}
