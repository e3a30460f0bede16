// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Progress;
import io.fiber.ProgressListener;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which listeners on the class path hear of long calls. */
class DisplaysTest {

    @TempDir
    private Path directory;

    /** As a bar is. */
    public static final class OnTerminal implements ProgressListener {
        @Override
        public void onProgress(Progress progress) {}

        @Override
        public boolean drawsOnTerminal() {
            return true;
        }
    }

    /** As the page of a session is. */
    public static final class Elsewhere implements ProgressListener {
        @Override
        public void onProgress(Progress progress) {}
    }

    @Test
    void onlyThoseOnTheTerminalCanBeSwitchedOff() throws Exception {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(
                services.resolve(ProgressListener.class.getName()),
                OnTerminal.class.getName() + "\n" + Elsewhere.class.getName() + "\n");
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);

            assertThat(new Displays(true).listeners()).hasExactlyElementsOfTypes(OnTerminal.class, Elsewhere.class);
            assertThat(new Displays(false).listeners()).hasExactlyElementsOfTypes(Elsewhere.class);
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
