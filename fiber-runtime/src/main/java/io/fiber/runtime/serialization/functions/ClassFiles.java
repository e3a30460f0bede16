// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization.functions;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.security.CodeSource;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The class files beside a class: in its jar, which the JVM has open, or in its directory. Others come from the class's
 * loader, whose access by URL costs a fresh JVM milliseconds. Used by one thread.
 */
final class ClassFiles implements AutoCloseable {

    private final ClassLoader loader;
    private final @Nullable File directory;
    private final @Nullable ZipFile jar;

    private ClassFiles(ClassLoader loader, @Nullable File directory, @Nullable ZipFile jar) {
        this.loader = loader;
        this.directory = directory;
        this.jar = jar;
    }

    /** Opens the class files beside a class that {@code loader} has defined. */
    static ClassFiles beside(Class<?> type, ClassLoader loader) throws IOException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        // Others are left to the loader.
        File file = location == null || !location.getProtocol().equals("file") ? null : file(location);
        if (file == null) {
            return new ClassFiles(loader, null, null);
        }
        if (file.isDirectory()) {
            return new ClassFiles(loader, file, null);
        }
        return new ClassFiles(loader, null, file.isFile() ? new ZipFile(file) : null);
    }

    /**
     * Returns the file of a URL. Only paths with encoded letters are decoded, which costs a fresh JVM a millisecond.
     */
    private static @Nullable File file(URL location) {
        try {
            return location.getPath().indexOf('%') < 0 ? new File(location.getPath()) : new File(location.toURI());
        } catch (URISyntaxException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the class file of the class with this name; null if it is not available. */
    @Nullable
    ClassFile find(String name) throws IOException {
        try (InputStream in = open(pathOf(name))) {
            return in == null ? null : new ClassFile(in.readAllBytes());
        }
    }

    /** Returns the jar or class file from which the class with this name is read; null if it comes from elsewhere. */
    @Nullable
    File fileOf(String name) {
        String path = pathOf(name);
        if (jar != null) {
            return jar.getEntry(path) == null ? null : new File(jar.getName());
        }
        File file = new File(directory, path);
        return directory != null && file.isFile() ? file : null;
    }

    /** Returns the CRC-32 of a class file, which a jar has in its directory; null if the file is not available. */
    @Nullable
    Integer crcOf(String name) throws IOException {
        String path = pathOf(name);
        ZipEntry entry = jar == null ? null : jar.getEntry(path);
        if (entry != null && entry.getCrc() >= 0) {
            return (int) entry.getCrc();
        }
        try (InputStream in = open(path)) {
            return in == null ? null : crcOf(in.readAllBytes());
        }
    }

    static int crcOf(byte[] classFile) {
        CRC32 crc = new CRC32();
        crc.update(classFile);
        return (int) crc.getValue();
    }

    private static String pathOf(String name) {
        return name.replace('.', '/').concat(".class");
    }

    private @Nullable InputStream open(String path) throws IOException {
        File file = directory == null ? null : new File(directory, path);
        if (file != null && file.isFile()) {
            return new FileInputStream(file);
        }
        ZipEntry entry = jar == null ? null : jar.getEntry(path);
        return jar == null || entry == null ? loader.getResourceAsStream(path) : jar.getInputStream(entry);
    }

    @Override
    public void close() throws IOException {
        if (jar != null) {
            jar.close();
        }
    }
}
