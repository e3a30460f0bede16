// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void contextOfSlf4jNamesTheProcess() throws Exception {
        Path source = directory.resolve("MDC.java");
        Files.writeString(source, """
                package org.slf4j;
                public class MDC {
                    public static String last;
                    public static void put(String key, String value) {
                        last = key + "=" + value;
                    }
                }
                """);
        ToolProvider.getSystemJavaCompiler().run(null, null, null, "-d", directory.toString(), source.toString());
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, null)) {
            enter(loader);

            assertThat(loader.loadClass("org.slf4j.MDC").getField("last").get(null))
                    .isEqualTo("fiber.process=p1-sweep-3");
        }
    }

    @Test
    void programsWithoutSlf4jAreLeftAlone() {
        assertThatNoException().isThrownBy(() -> enter(new URLClassLoader(new URL[0], null)));
    }
}
