// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.condition.OS.LINUX;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;

public class ProcessUsageTest {

    @Test
    void nameOfTheProgramMayHoldSpacesAndParentheses() {
        String stat = "70 (a) b (c) S 1 70 70 0 -1 4194304 9 8 7 6 512 13 5 4 20 0 19 0 333 3000000 1234 99\n";

        assertThat(ProcessUsage.parse(stat, 4096)).isEqualTo(new ProcessUsage(1234 * 4096, 5_250_000_000L));
    }

    /** Returns whether this system reports what a process uses, as Linux does except under an emulator. */
    public static boolean isKnown() {
        return ProcessUsage.ofThisProcess().isPresent()
                || System.getProperty("os.arch").equals("amd64");
    }

    @Test
    @EnabledOnOs(LINUX)
    void thisProcessUsesMemoryAndTime() {
        assumeTrue(isKnown(), "an emulator reports no usage");
        assertThat(ProcessUsage.ofThisProcess()).hasValueSatisfying(usage -> {
            assertThat(usage.memoryBytes()).isBetween(10_000_000L, 1L << 40);
            assertThat(usage.cpuTimeNs()).isGreaterThan(100_000_000);
        });
    }
}
