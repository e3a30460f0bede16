// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the program's own logging learns of its process. */
class LogContextTest {

    @TempDir
    private Path directory;

    private static void enter(ClassLoader loader) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            LogContext.enter("p1-sweep-3");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** What a class path may have: SLF4J of both generations, with and without what writes its records. */
    @ParameterizedTest
    @CsvSource({
        "org.slf4j.impl.StaticMDCBinder,, fiber.process=p1-sweep-3",
        ",,",
        "org.slf4j.spi.SLF4JServiceProvider, META-INF/services/org.slf4j.spi.SLF4JServiceProvider, fiber.process=p1-sweep-3",
        "org.slf4j.spi.SLF4JServiceProvider,,",
    })
    void contextOfSlf4jNamesTheProcessIfThereIsAProvider(
            @Nullable String type, @Nullable String service, @Nullable String expected) throws Exception {
        compile("org.slf4j.MDC", """
                public static String last;
                public static void put(String key, String value) {
                    last = key + "=" + value;
                }
                """);
        if (type != null) {
            compile(type, "");
        }
        if (service != null) {
            Path file = directory.resolve(service);
            Files.createDirectories(file.getParent());
            Files.writeString(file, "a.Provider");
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, null)) {
            enter(loader);

            assertThat(loader.loadClass("org.slf4j.MDC").getField("last").get(null))
                    .isEqualTo(expected);
        }
    }

    private void compile(String type, String members) throws Exception {
        int dot = type.lastIndexOf('.');
        String name = type.substring(dot + 1);
        Path source = directory.resolve(name + ".java");
        Files.writeString(
                source, "package " + type.substring(0, dot) + "; public class " + name + " {" + members + "}");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-d", directory.toString(), source.toString()))
                .isZero();
    }

    @Test
    void programsWithoutSlf4jAreLeftAlone() {
        assertThatNoException().isThrownBy(() -> enter(new URLClassLoader(new URL[0], null)));
    }
}
