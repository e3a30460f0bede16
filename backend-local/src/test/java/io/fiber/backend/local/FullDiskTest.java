// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disks that have no room, or none any more: for logs, and for the memory that the processes of a host share. */
@Tag("slow")
class FullDiskTest {

    @TempDir
    Path tmp;

    private MasterJvm program(String name) {
        return MasterJvm.inSandbox(tmp, DiskPrograms.class, name);
    }

    @Test
    void fullDiskForLogsCostsRecordsAndNothingElse() {
        try (MasterJvm master = program("logs")) {
            assertThat(master.awaitLine("before")).isEqualTo("true");
            assertThat(master.awaitLine("full")).isEqualTo("true");
            assertThat(master.awaitLine("said")).as("times, by any worker").isEqualTo("1");
            assertThat(master.awaitLine("lost")).isEqualTo("0");
            master.awaitEnd();
        }
    }

    @Test
    void withoutRoomForSharedMemoryTheSessionDirectoryIsUsed() {
        try (MasterJvm master = program("shared")) {
            assertThat(master.awaitLine("exact")).isEqualTo("true");
            assertThat(master.awaitLine("lost")).isEqualTo("0");
            master.awaitEnd();
        }
    }

    @Test
    void withoutRoomAnywhereTheStartSaysWhereHowMuchAndWhatToDo() {
        try (MasterJvm master = program("nothing")) {
            assertThat(master.awaitLine("refused"))
                    .startsWith("FBR-321")
                    .contains("'/dev/shm' has 4194304 bytes free", tmp.toString(), "it needs ", "term-length");
            master.awaitEnd();
        }
    }

    @Test
    void memoryThatFillsUpWhileASessionWorksKeepsNewWorkersAwayAndHarmsNone() {
        try (MasterJvm master = program("middle")) {
            assertThat(master.awaitLine("shared")).isEqualTo("true");
            assertThat(master.awaitLine("full")).isEqualTo("true");
            assertThat(master.awaitLine("large")).isEqualTo("[3145728]");
            assertThat(master.awaitLine("WARNING: FBR-513"))
                    .startsWith("No worker can be added now. Running workers (2) continue")
                    .contains("'/dev/shm/fiber-", " bytes, and 0 are free");
            assertThat(master.awaitLine("without")).isEqualTo("true");
            assertThat(master.awaitLine("free")).isEqualTo("0");
            assertThat(master.awaitLine("started")).isEqualTo("2");
            assertThat(master.awaitLine("more")).isEqualTo("true");
            assertThat(master.awaitLine("started")).isEqualTo("3");
            assertThat(master.awaitLine("lost")).isEqualTo("0");
            master.awaitEnd();
        }
    }
}
