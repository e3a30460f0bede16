// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The /dev/shm of a container: 64 MB, in a mount namespace of its own. */
@Tag("slow")
class SmallMemoryTest {

    private static final String MOUNT = "mount -t tmpfs -o size=64m tmpfs /dev/shm && exec \"$@\"";

    @TempDir
    Path directory;

    @Test
    void sixtyLinksFitIntoSixtyFourMegabytesAndTheNextOneTooManyIsAnErrorNotACrash() throws Exception {
        assumeTrue(canMount(), "a private mount namespace needs root and unshare(1)");
        try (SecondJvm jvm = SecondJvm.startUnder(
                new String[] {"unshare", "-m", "sh", "-c", MOUNT, "sh"}, SmallMemoryMain.class, directory.toString())) {
            assertThat(jvm.line()).isEqualTo("in /dev/shm");
            String links = jvm.line();
            System.out.println("closed measured 64 MB: " + links);
            assertThat(Integer.parseInt(links.substring("links ".length()))).isGreaterThanOrEqualTo(60);
            assertThat(jvm.line())
                    .startsWith("refusal NO_ROOM No room for another link in '/dev/shm/fiber-")
                    .contains("it needs 401408 bytes, and ");
            assertThat(jvm.line()).isEqualTo("differences []");
            assertThat(jvm.line()).startsWith("free ");
            assertThat(jvm.line()).isEqualTo("end");
            assertThat(jvm.exitCode()).isZero();
        }
    }

    private static boolean canMount() throws InterruptedException {
        try {
            Process process = new ProcessBuilder("unshare", "-m", "sh", "-c", MOUNT, "sh", "true")
                    .redirectErrorStream(true)
                    .start();
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
