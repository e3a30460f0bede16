// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.FiberException;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.spi.backend.ProgramFiles;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;

/**
 * Finds out whether this process runs inside another program that has loaded Fiber with its own class loader. Workers
 * would start with that program's class path and would not find Fiber. In doubt, it reports nothing. Stateless.
 */
final class ForeignLoader {

    private ForeignLoader() {}

    /**
     * Checks that workers will find their main class.
     *
     * @param system the loader of this class in a worker that is started like this process
     * @throws FiberException FBR-116 if no entry contains it and this process got it from elsewhere
     */
    static void refuse(Class<?> workerMain, ClassLoader system, List<String> classPath) {
        String file = workerMain.getName().replace('.', '/') + ".class";
        if (workerMain.getModule().isNamed()
                || workerMain.getClassLoader() == system
                || system.getResource(file) != null) {
            return;
        }
        Optional<String> own = source(workerMain);
        if (own.isEmpty() || isProvided(file, classPath)) {
            return;
        }
        throw new FiberException(
                "FBR-116",
                "This program runs inside another one, which has loaded Fiber from " + own.get()
                        + " with its own class loader ("
                        + workerMain.getClassLoader().getClass().getName()
                        + "), as Maven's exec:java, IDE plugins and application servers do. Workers would be started"
                        + " with the class path of that program, which does not contain Fiber: "
                        + ClassPathSnapshot.shown(String.join(File.pathSeparator, classPath))
                        + " . Start your program in its own JVM: with java -cp, or with mvn exec:exec instead of"
                        + " exec:java. Or set the system property java.class.path to the class path of your program"
                        + " before you open the session.");
    }

    /**
     * Returns where a class was loaded from: an existing file or directory, or a place that only its loader can read.
     */
    private static Optional<String> source(Class<?> type) {
        CodeSource source = type.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            return Optional.empty();
        }
        if (!"file".equals(source.getLocation().getProtocol())) {
            return Optional.of(source.getLocation().toString());
        }
        try {
            return Optional.of(Path.of(source.getLocation().toURI()))
                    .filter(Files::exists)
                    .map(Path::toString);
        } catch (URISyntaxException | IllegalArgumentException | FileSystemNotFoundException e) {
            return Optional.empty();
        }
    }

    private static boolean isProvided(String file, List<String> classPath) {
        try {
            for (Path entry : ProgramFiles.ofClassPath(classPath)) {
                if (Files.isDirectory(entry) ? Files.exists(entry.resolve(file)) : isInJar(file, entry)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | RuntimeException e) {
            // An entry that cannot be read may contain it.
            return true;
        }
    }

    private static boolean isInJar(String file, Path jar) throws IOException {
        try (JarFile open = new JarFile(jar.toFile())) {
            return open.getEntry(file) != null;
        }
    }
}
