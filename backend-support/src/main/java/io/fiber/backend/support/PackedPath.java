// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.ProgramFiles;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;

/**
 * Converts entries of a class path or module path into files that can be copied elsewhere. A directory becomes a jar; a
 * wildcard and the {@code Class-Path} of a manifest become the jars that they stand for. Each file is identified by its
 * content. Thread-safe.
 */
public final class PackedPath implements AutoCloseable {

    private static final LocalDateTime ONE_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);
    private static final Attributes.Name MODULE_NAME = new Attributes.Name("Automatic-Module-Name");
    private static final String SHADED = "/shaded/";
    private static final int SHORT_HASH = 12;

    private final Path scratch;
    private final String code;
    private final String target;
    private final Map<String, Packed> known = new HashMap<>();
    private final List<Path> made = new ArrayList<>();

    /**
     * Creates a converter.
     *
     * @param scratch a directory for jars that it creates
     * @param code of the error if an entry cannot be read, for example {@code FBR-159}
     * @param target where the files go, in words, for that error
     */
    public PackedPath(Path scratch, String code, String target) {
        this.scratch = requireNonNull(scratch, "scratch");
        this.code = requireNonNull(code, "code");
        this.target = requireNonNull(target, "target");
    }

    /**
     * A file to copy.
     *
     * @param hash hash of its content
     * @param name its name at the destination, because names of modules may be derived from it
     * @param file its path
     */
    public record Packed(String hash, String name, Path file) {
        /** Returns a relative path for the file that no file with another content or name has. */
        public String place() {
            return hash.substring(0, SHORT_HASH) + "/" + name;
        }
    }

    /**
     * A program as a container sees it.
     *
     * @param program the program with the container's paths
     * @param files the files of these paths, in their order; the container has each at its {@link Packed#place}
     */
    public record Placed(Program.Java program, List<Packed> files) {}

    /**
     * Returns the program of a submission as a container runs it: its class path, which {@link #classPath(Submission,
     * Program.Java, String)} returns, and its module path are below the given directory of the container.
     *
     * @throws JobRejectedException if a file cannot be read
     */
    public Placed placed(Submission submission, Program.Java program, String module, String directory) {
        List<Packed> classPath = classPath(submission, program, module);
        List<Packed> modulePath = modulePath(program.modulePath());
        Program.Java there = new Program.Java(
                program.executable(),
                program.jvmOptions(),
                places(classPath, directory),
                places(modulePath, directory),
                program.main(),
                program.arguments());
        return new Placed(
                there, Stream.concat(classPath.stream(), modulePath.stream()).toList());
    }

    private static List<String> places(List<Packed> files, String directory) {
        return files.stream().map(each -> directory + "/" + each.place()).toList();
    }

    /**
     * Returns the files of a class path, in their order. As in Java, missing entries are left out.
     *
     * @throws JobRejectedException if an entry cannot be read
     */
    public List<Packed> classPath(List<String> entries) {
        try {
            return packed(ProgramFiles.ofClassPath(entries));
        } catch (FileSystemException e) {
            throw unreadable(Path.of(e.getFile()), e);
        }
    }

    /**
     * Returns the files of the class path of a submission's program. Workers are the only programs with bootstrap
     * bytes. They do not get the client libraries of a backend, which are below {@code shaded} in its jar, because only
     * the first master submits jobs, including those that workers request.
     *
     * @param program the program of the submission
     * @param module the backend's {@code Automatic-Module-Name}, which identifies its jar
     * @throws JobRejectedException if an entry cannot be read
     */
    public List<Packed> classPath(Submission submission, Program.Java program, String module) {
        List<Packed> whole = classPath(program.classPath());
        boolean isOfWorkers = submission.instances().stream()
                .allMatch(instance -> instance.bootstrap().length() > 0);
        return isOfWorkers
                ? whole.stream()
                        .map(packed -> packed.name().endsWith(".jar") ? withoutClient(packed, module) : packed)
                        .toList()
                : whole;
    }

    private synchronized Packed withoutClient(Packed packed, String module) {
        String stamp = packed.file() + "\n" + packed.hash();
        Packed smaller = known.get(stamp);
        if (smaller == null) {
            try (JarFile jar = new JarFile(packed.file().toFile())) {
                Manifest manifest = jar.getManifest();
                boolean isBackend = manifest != null
                        && module.equals(manifest.getMainAttributes().getValue(MODULE_NAME));
                smaller = packed;
                if (isBackend) {
                    Path file = copy(jar, module.replace('.', '/') + SHADED);
                    smaller = new Packed(Sha256.of(file), packed.name(), file);
                }
                known.put(stamp, smaller);
            } catch (ZipException e) {
                return packed;
            } catch (IOException e) {
                throw unreadable(packed.file(), e);
            }
        }
        return smaller;
    }

    private Path copy(JarFile from, String without) throws IOException {
        Path jar = Files.createTempFile(scratch, "worker", ".jar");
        made.add(jar);
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            zip.setLevel(Deflater.BEST_SPEED);
            for (JarEntry entry : Collections.list(from.entries())) {
                if (!entry.getName().startsWith(without)) {
                    add(zip, entry.getName());
                    try (InputStream in = from.getInputStream(entry)) {
                        in.transferTo(zip);
                    }
                    zip.closeEntry();
                }
            }
        }
        return jar;
    }

    private static void add(ZipOutputStream zip, String name) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(ONE_TIME);
        zip.putNextEntry(entry);
    }

    /**
     * Returns the files of a module path: jars, directories of jars, and directories of one module's classes.
     *
     * @throws JobRejectedException if an entry cannot be read
     */
    public List<Packed> modulePath(List<String> entries) {
        try {
            return packed(ProgramFiles.ofModulePath(entries));
        } catch (FileSystemException e) {
            throw unreadable(Path.of(e.getFile()), e);
        }
    }

    private List<Packed> packed(List<Path> files) {
        return files.stream().map(this::pack).toList();
    }

    private synchronized Packed pack(Path path) {
        try {
            String stamp = stamp(path);
            Packed packed = known.get(stamp);
            if (packed == null) {
                Path file = Files.isDirectory(path) ? jar(path) : path;
                packed = new Packed(Sha256.of(file), name(path), file);
                known.put(stamp, packed);
            }
            return packed;
        } catch (IOException | UncheckedIOException e) {
            throw unreadable(path, e);
        }
    }

    private static String name(Path path) {
        String name = String.valueOf(path.getFileName());
        return Files.isDirectory(path) ? name + ".jar" : name;
    }

    /** Changes whenever a file does, so that a recompiled class is sent again. */
    private static String stamp(Path path) throws IOException {
        StringBuilder stamp = new StringBuilder(path.toString());
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted().toList()) {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                stamp.append('\n').append(path.relativize(file)).append(' ').append(attributes.size());
                stamp.append(' ').append(attributes.lastModifiedTime());
            }
        }
        return stamp.toString();
    }

    /** The same classes result in the same bytes. */
    private Path jar(Path directory) throws IOException {
        Path jar = Files.createTempFile(scratch, "classes", ".jar");
        made.add(jar);
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> walk = Files.walk(directory)) {
            zip.setLevel(Deflater.BEST_SPEED);
            List<Path> files = new ArrayList<>(walk.sorted().toList());
            files.remove(directory);
            for (Path file : files) {
                String name = directory.relativize(file).toString();
                add(zip, Files.isDirectory(file) ? name + "/" : name);
                if (!Files.isDirectory(file)) {
                    Files.copy(file, zip);
                }
                zip.closeEntry();
            }
        }
        return jar;
    }

    /** Deletes the jars that were created. */
    @Override
    public synchronized void close() {
        for (Path jar : made) {
            try {
                Files.deleteIfExists(jar);
            } catch (IOException e) {
                System.getLogger(PackedPath.class.getName())
                        .log(System.Logger.Level.DEBUG, "The file '" + jar + "' stays until the session ends.", e);
            }
        }
        made.clear();
        known.clear();
    }

    private JobRejectedException unreadable(Path path, Exception failure) {
        return new JobRejectedException(
                code + " The entry '" + path + "' of the class path cannot be sent to " + target + ": " + failure
                        + ". Every entry must be a jar or a directory that this program can read.",
                failure);
    }
}
