// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
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
    private final @Nullable File directory;
    private final @Nullable ZipFile jar;

    private ClassFiles(ClassLoader loader, @Nullable File directory, @Nullable ZipFile jar) {
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
            return new ClassFiles(loader, file, null);
        }
        return new ClassFiles(loader, null, file.isFile() ? new ZipFile(file) : null);
    }

    /** Returns the class file of a class of this name; null when it cannot be had. */
    @Nullable
    ClassFile find(String name) throws IOException {
        try (InputStream in = open(name.replace('.', '/').concat(".class"))) {
            return in == null ? null : new ClassFile(in.readAllBytes());
        }
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
