// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manager and the programs that use it are on different hosts: those are name spaces, the ways are TCP and UDP. */
@Tag("slow")
class DistantGuestTest {

    @TempDir
    Path tmp;

    @Test
    void aProgramOfAnotherHostUsesAManagerAndLosesItsLockWithItsNetwork() {
        try (MasterJvm host = MasterJvm.inSandbox(tmp, DistantGuestPrograms.class, "host")) {
            assertThat(host.awaitLine("listens")).startsWith("at 10.77.0.1:");
            assertThat(host.awaitLine("counted")).isEqualTo("0 60");
            assertThat(host.awaitLine("abandoned")).isEqualTo("true");
            assertThat(host.awaitLine("held")).isEqualTo("0");
            host.awaitEnd();
        }
    }
}
