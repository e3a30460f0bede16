// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import io.fiber.runtime.remotejobs.RemoteJobRequest;
import io.fiber.runtime.worker.main.WorkerMain;
import java.io.File;
import java.io.OutputStream;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that runs inside another one is told so, and no other is. */
class ForeignLoaderTest {

    private static final String MAIN = RemoteJobRequest.WORKER_MAIN.replace('.', '/') + ".class";

    @TempDir
    Path tmp;

    @Test
    void programInsideAnotherIsToldWhatToDo() throws Exception {
        Path host = jar("host.jar", "other/Main.class", "");
        try (URLClassLoader own = loader(fiber());
                URLClassLoader system = loader(host)) {
            Class<?> workerMain = own.loadClass(RemoteJobRequest.WORKER_MAIN);

            assertThatThrownBy(() -> ForeignLoader.refuse(workerMain, system, List.of(host.toString())))
                    .isInstanceOf(FiberException.class)
                    .hasMessage("FBR-116 This program runs inside another one, which has loaded Fiber from " + fiber()
                            + " with its own class loader (java.net.URLClassLoader), as Maven's exec:java, IDE"
                            + " plugins and application servers do. Workers would be started with the class path of"
                            + " that program, which does not contain Fiber: " + host
                            + " . Start your program in its own JVM: with java -cp, or with mvn exec:exec instead of"
                            + " exec:java. Or set the system property java.class.path to the class path of your"
                            + " program before you open the session.");
        }
    }

    @Test
    void classPathThatHasFiberInAnyWayIsTaken() throws Exception {
        Path shaded = jar("lib/shaded.jar", MAIN, "");
        Path booter = jar("booter.jar", "other/Main.class", "lib/shaded.jar");
        try (URLClassLoader own = loader(fiber());
                URLClassLoader empty = loader()) {
            Class<?> workerMain = own.loadClass(RemoteJobRequest.WORKER_MAIN);
            for (Path entry : List.of(fiber(), shaded, shaded.resolveSibling("*"), booter)) {
                assertThatCode(() -> ForeignLoader.refuse(workerMain, empty, List.of("/nowhere", entry.toString())))
                        .as(entry.toString())
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void systemLoaderThatHasFiberIsEnough() throws Exception {
        try (URLClassLoader own = loader(fiber());
                URLClassLoader system = loader(fiber())) {
            Class<?> workerMain = own.loadClass(RemoteJobRequest.WORKER_MAIN);

            assertThatCode(() -> ForeignLoader.refuse(workerMain, system, List.of()))
                    .doesNotThrowAnyException();
            assertThatCode(() -> ForeignLoader.refuse(WorkerMain.class, WorkerMain.class.getClassLoader(), List.of()))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void whatCannotBeReadMayHaveFiber() throws Exception {
        Path broken = Files.writeString(tmp.resolve("broken.jar"), "no jar");
        try (URLClassLoader own = loader(fiber());
                URLClassLoader empty = loader()) {
            Class<?> workerMain = own.loadClass(RemoteJobRequest.WORKER_MAIN);

            assertThatCode(() -> ForeignLoader.refuse(workerMain, empty, List.of(broken.toString())))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void classesThatComeFromNoFileSayNothing() throws Exception {
        try (URLClassLoader empty = loader()) {
            Class<?> workerMain = new NoSource().define(null);

            assertThatCode(() -> ForeignLoader.refuse(workerMain, empty, List.of()))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void classesOfAJarInAJarAreMissedInWorkers() throws Exception {
        try (URLClassLoader empty = loader()) {
            CodeSource nested = new CodeSource(new URL("jar:file:/srv/one.jar!/lib/fiber.jar!/"), (Certificate[]) null);
            Class<?> workerMain = new NoSource().define(new ProtectionDomain(nested, null));

            assertThatThrownBy(() -> ForeignLoader.refuse(workerMain, empty, List.of("/srv/one.jar")))
                    .hasMessageStartingWith("FBR-116 This program runs inside another one, which has loaded Fiber"
                            + " from jar:file:/srv/one.jar!/lib/fiber.jar!/ with its own class loader")
                    .hasMessageContaining(
                            "which does not contain Fiber: /srv/one.jar . Start your program in its own JVM");
        }
    }

    private static Path fiber() throws Exception {
        return Path.of(WorkerMain.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    }

    private static URLClassLoader loader(Path... entries) throws Exception {
        URL[] urls = new URL[entries.length];
        for (int i = 0; i < urls.length; i++) {
            urls[i] = entries[i].toUri().toURL();
        }
        return new URLClassLoader(urls, ClassLoader.getPlatformClassLoader());
    }

    private Path jar(String name, String entry, String classPath) throws Exception {
        Path jar = tmp.resolve(name);
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            out.putNextEntry(new JarEntry(entry));
        }
        return jar;
    }

    /** Defines the class and says of it where it is from what it is told to say. */
    private static final class NoSource extends ClassLoader {
        NoSource() {
            super(ClassLoader.getPlatformClassLoader());
        }

        Class<?> define(@Nullable ProtectionDomain from) throws Exception {
            byte[] code = Files.readAllBytes(fiberClass());
            return defineClass(RemoteJobRequest.WORKER_MAIN, code, 0, code.length, from);
        }

        private static Path fiberClass() throws Exception {
            URI location = WorkerMain.class.getResource("WorkerMain.class").toURI();
            return new File(location).toPath();
        }
    }
}
