// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.spi.Environment;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The class path inside an executable jar of Spring Boot. Its nested jars can be read by that program's class loader,
 * but not by another JVM. They are unpacked once for each content into {@code ${XDG_CACHE_HOME:-~/.cache}/fiber/jars}
 * and removed when they were unused for 30 days. Nothing is copied from an exploded jar, which is a directory.
 */
public final class ExecutableJar {

    private static final String CLASSES = "Spring-Boot-Classes";
    private static final String LIBRARIES = "Spring-Boot-Lib";
    private static final String WAR = "WEB-INF/";
    private static final String WAR_PROVIDED = "WEB-INF/lib-provided/";
    private static final String CLASSES_JAR = "classes.jar";
    private static final Duration UNUSED = Duration.ofDays(30);

    private final Path place;
    private final String classes;
    private final String libraries;

    private ExecutableJar(Path place, String classes, String libraries) {
        this.place = place;
        this.classes = classes;
        this.libraries = libraries;
    }

    /**
     * Returns a class path in which each executable jar is replaced with its nested class path.
     *
     * @throws FileSystemException with the file or directory and what is wrong with it, when it cannot be unpacked
     */
    public static List<String> unpacked(List<String> classPath, Environment environment) throws IOException {
        List<String> all = new ArrayList<>();
        for (String entry : classPath) {
            Optional<ExecutableJar> executable = of(Path.of(entry));
            if (executable.isPresent()) {
                all.addAll(executable.get().classPath(environment));
            } else {
                all.add(entry);
            }
        }
        return all;
    }

    private static Optional<ExecutableJar> of(Path place) throws IOException {
        Manifest manifest = manifest(place);
        String libraries =
                manifest == null ? null : manifest.getMainAttributes().getValue(LIBRARIES);
        if (manifest == null || libraries == null) {
            return Optional.empty();
        }
        String classes = manifest.getMainAttributes().getValue(CLASSES);
        return Optional.of(
                new ExecutableJar(place, classes == null ? libraries.replace("lib/", "classes/") : classes, libraries));
    }

    private static @Nullable Manifest manifest(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            Path file = place.resolve(JarFile.MANIFEST_NAME);
            if (!Files.isRegularFile(file)) {
                return null;
            }
            try (InputStream in = Files.newInputStream(file)) {
                return new Manifest(in);
            }
        }
        if (!Files.isRegularFile(place)) {
            return null;
        }
        try (JarFile jar = new JarFile(place.toFile())) {
            return jar.getManifest();
        } catch (java.util.zip.ZipException e) {
            return null;
        }
    }

    private List<String> classPath(Environment environment) throws IOException {
        if (Files.isDirectory(place)) {
            return exploded();
        }
        Path cache =
                UserDirectory.CACHE.findOrMake(environment).resolve("fiber").resolve("jars");
        Path parent = cache.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        PrivateDirectory.createOrCheck(cache);
        try (JarFile jar = new JarFile(place.toFile())) {
            List<JarEntry> nested = nested(jar);
            Path home = cache.resolve(key(jar, nested));
            if (!isWhole(home, nested)) {
                unpack(jar, nested, cache, home);
            }
            Files.setLastModifiedTime(home, FileTime.from(Instant.now()));
            removeUnused(cache);
            List<String> entries =
                    new ArrayList<>(List.of(home.resolve(CLASSES_JAR).toString()));
            nested.forEach(entry -> entries.add(home.resolve(fileName(entry)).toString()));
            return entries;
        }
    }

    private List<String> exploded() throws IOException {
        List<String> entries = new ArrayList<>(List.of(place.resolve(classes).toString()));
        Path directory = place.resolve(libraries);
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                files.map(Path::toString)
                        .filter(file -> file.endsWith(".jar"))
                        .sorted()
                        .forEach(entries::add);
            }
        }
        return entries;
    }

    /** Returns the nested jars in the order of the class path. */
    private List<JarEntry> nested(JarFile jar) {
        return jar.stream()
                .filter(entry -> isLibrary(entry.getName(), libraries)
                        || (libraries.startsWith(WAR) && isLibrary(entry.getName(), WAR_PROVIDED)))
                .toList();
    }

    /** Returns whether the entry is a library. Its name becomes a file name, so it must not lead elsewhere. */
    private static boolean isLibrary(String name, String directory) {
        return name.startsWith(directory)
                && name.endsWith(".jar")
                && name.indexOf('/', directory.length()) < 0
                && name.indexOf('\\') < 0;
    }

    private static String fileName(JarEntry entry) {
        return entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
    }

    /** Returns a name that depends on all classes and libraries, through their names, sizes and checksums. */
    private String key(JarFile jar, List<JarEntry> nested) {
        Map<String, JarEntry> all = new TreeMap<>();
        nested.forEach(entry -> all.put(entry.getName(), entry));
        jar.stream()
                .filter(entry -> entry.getName().startsWith(classes))
                .forEach(entry -> all.put(entry.getName(), entry));
        MessageDigest digest = Sha256.newDigest();
        all.forEach((name, entry) -> digest.update(
                (name + " " + entry.getSize() + " " + entry.getCrc() + "\n").getBytes(StandardCharsets.UTF_8)));
        nested.forEach(entry -> digest.update(entry.getName().getBytes(StandardCharsets.UTF_8)));
        return HexFormat.of().formatHex(digest.digest(), 0, 16);
    }

    /** Returns whether all jars are present; a cache cleaner may have removed some. */
    private static boolean isWhole(Path home, List<JarEntry> nested) {
        if (!Files.isRegularFile(home.resolve(CLASSES_JAR))) {
            return false;
        }
        for (JarEntry entry : nested) {
            if (home.resolve(fileName(entry)).toFile().length() != entry.getSize()) {
                return false;
            }
        }
        return true;
    }

    /**
     * Unpacks the jar. The directory gets its name when it is complete, so a dying process, or two at once, do no harm.
     */
    private void unpack(JarFile jar, List<JarEntry> nested, Path cache, Path home) throws IOException {
        Path written = PrivateDirectory.create(cache.resolve(
                home.getFileName() + "-" + ProcessHandle.current().pid() + "-" + Long.toString(System.nanoTime(), 36)));
        try {
            for (JarEntry entry : nested) {
                try (InputStream in = jar.getInputStream(entry)) {
                    Files.copy(in, written.resolve(fileName(entry)));
                }
            }
            writeClasses(jar, written.resolve(CLASSES_JAR));
            if (Files.exists(home)) {
                FileTree.remove(home);
            }
            Files.move(written, home, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            if (!isWhole(home, nested)) {
                throw e;
            }
            // Another process was faster.
        } finally {
            if (Files.exists(written)) {
                FileTree.remove(written);
            }
        }
    }

    private void writeClasses(JarFile jar, Path file) throws IOException {
        Manifest manifest = jar.getManifest();
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream written = new JarOutputStream(out, manifest)) {
            for (Enumeration<JarEntry> entries = jar.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                String name =
                        entry.getName().startsWith(classes) ? entry.getName().substring(classes.length()) : "";
                if (!name.isEmpty() && !name.equals(JarFile.MANIFEST_NAME)) {
                    JarEntry copy = new JarEntry(name);
                    copy.setTime(entry.getTime());
                    written.putNextEntry(copy);
                    try (InputStream in = jar.getInputStream(entry)) {
                        in.transferTo(written);
                    }
                    written.closeEntry();
                }
            }
        }
    }

    private static void removeUnused(Path cache) throws IOException {
        try (DirectoryStream<Path> homes = Files.newDirectoryStream(cache)) {
            for (Path home : homes) {
                if (Files.isDirectory(home) && FileTree.isOlder(home, UNUSED)) {
                    FileTree.remove(home);
                }
            }
        }
    }
}
