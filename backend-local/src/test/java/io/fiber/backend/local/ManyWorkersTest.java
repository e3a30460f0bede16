// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a thousand workers cost their master: links, handshakes and the media driver are real, the JVMs are four. */
@Tag("slow")
class ManyWorkersTest {

    @TempDir
    Path tmp;

    @Test
    @Tag("soak")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void thousandWorkersCostTheirMasterLittle() {
        try (MasterJvm master = new MasterJvm(tmp, ManyWorkersProgram.class, List.of("-Xmx512m"), "1000")) {
            assertThat(Long.parseLong(master.awaitLine("heap")))
                    .as("bytes of the master's heap for each worker")
                    .isLessThanOrEqualTo(50 << 10);
            assertThat(Long.parseLong(master.awaitLine("directory")))
                    .as("bytes of shared memory for each worker")
                    .isLessThanOrEqualTo(450 << 10);
            System.out.println(master.awaitLine("seconds"));
            System.out.println(master.awaitLine("nodes"));
            master.awaitEnd();
        }
    }
}
