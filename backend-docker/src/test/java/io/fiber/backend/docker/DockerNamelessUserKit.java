// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A program and its workers as a user that no image knows. {@link DockerEngineTest} runs it beside a real engine. */
class DockerNamelessUserKit {

    private static final int USER = 12345;

    @AfterEach
    void nothingIsLeft() {
        DockerFixture.assertNothingLeft();
    }

    /** Returns the user of this process, and what it finds in some directories, apart from what the JVM puts there. */
    static String found(String... directories) throws IOException {
        List<String> found = new ArrayList<>(
                List.of(System.getProperty("user.name"), Files.getAttribute(Path.of("/proc/self"), "unix:uid") + ":"));
        for (String directory : directories) {
            try (Stream<Path> entries = Files.list(Path.of(directory))) {
                entries.map(Path::toString)
                        .filter(entry -> !entry.contains("hsperfdata"))
                        .sorted()
                        .forEach(found::add);
            }
        }
        return String.join(" ", found);
    }

    /** The program. */
    static final class Master {
        private Master() {}

        public static void main(String[] arguments) throws IOException {
            try (Fiber fiber = KitFiber.builder()
                            .set("fiber.docker.user", USER + ":" + USER)
                            .open();
                    Pool pool = fiber.pool(1)) {
                System.out.println("worker " + pool.apply(() -> found("/tmp")));
                System.out.println("master " + found("/tmp", "."));
            }
            System.out.println("after " + found("/tmp", ".", "/dev/shm"));
        }
    }

    @Test
    void userWithoutANameOpensSessionsAndLeavesNothingOdd() {
        assertThat(MasterContainer.run(Master.class, USER))
                .filteredOn(line -> line.matches("(worker|master|after) .*"))
                .containsExactly(
                        "worker user-12345 12345:",
                        "master ? 12345: /tmp/fiber-12345",
                        "after ? 12345: /tmp/fiber-12345");
    }

    /** JNA unpacks its native library into a cache below the home directory, as many libraries do. */
    static String cache() throws IOException {
        Path home = Path.of(System.getProperty("user.home"));
        int pointerBytes = Native.POINTER_SIZE;
        try (Stream<Path> files = Files.list(home.resolve(".cache"))) {
            return System.getProperty("user.name") + " " + System.getenv("HOME") + " " + pointerBytes + " "
                    + files.sorted().toList();
        }
    }

    @Test
    void librariesFindAHomeInWhichTheyCanCacheFiles() {
        try (Fiber fiber = KitFiber.builder()
                        .set("fiber.docker.user", USER + ":" + USER)
                        .open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(() -> cache())).isEqualTo("user-12345 /tmp 8 [/tmp/.cache/JNA]");
        }
    }
}
