// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * The class files beside one class: in its jar, which the JVM has open, or its directory. What is not there comes from the
 * class's loader, whose way by a URL costs a fresh JVM milliseconds. Used by one thread.
 */
final class ClassFiles implements AutoCloseable {

    private final ClassLoader loader;
    private final @Nullable Path directory;
    private final @Nullable ZipFile jar;

    private ClassFiles(ClassLoader loader, @Nullable Path directory, @Nullable ZipFile jar) {
        this.loader = loader;
        this.directory = directory;
        this.jar = jar;
    }

    /** Opens those beside a class that {@code loader} has defined. */
    static ClassFiles beside(Class<?> type, ClassLoader loader) throws IOException {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        URL location = source == null ? null : source.getLocation();
        // Others, and paths with letters that URLs encode, are left to the loader.
        if (location == null
                || !location.getProtocol().equals("file")
                || location.getPath().indexOf('%') >= 0) {
            return new ClassFiles(loader, null, null);
        }
        File file = new File(location.getPath());
        if (file.isDirectory()) {
            return new ClassFiles(loader, file.toPath(), null);
        }
        return new ClassFiles(loader, null, file.isFile() ? new ZipFile(file) : null);
    }

    /** Returns the class file of a class of this name; null when it cannot be had. */
    @Nullable
    ClassFile find(String name) throws IOException {
        String path = name.replace('.', '/').concat(".class");
        byte[] bytes = directory == null ? inJar(path) : inDirectory(directory.resolve(path));
        if (bytes == null) {
            bytes = byLoader(path);
        }
        return bytes == null ? null : new ClassFile(bytes);
    }

    private static byte @Nullable [] inDirectory(Path file) throws IOException {
        return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
    }

    private byte @Nullable [] inJar(String path) throws IOException {
        ZipEntry entry = jar == null ? null : jar.getEntry(path);
        if (jar == null || entry == null) {
            return null;
        }
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    private byte @Nullable [] byLoader(String path) throws IOException {
        try (InputStream in = loader.getResourceAsStream(path)) {
            return in == null ? null : in.readAllBytes();
        }
    }

    @Override
    public void close() throws IOException {
        if (jar != null) {
            jar.close();
        }
    }
}
