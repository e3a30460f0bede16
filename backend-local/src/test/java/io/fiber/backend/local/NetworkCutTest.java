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

/** A network between master and workers that is cut: hosts are name spaces, the way is UDP. */
@Tag("slow")
class NetworkCutTest {

    @TempDir
    Path tmp;

    @Test
    void nothingArrivesFromAHostThatIsCutOff() {
        try (MasterJvm master = MasterJvm.inSandbox(tmp, CutHostProgram.class)) {
            assertThat(master.awaitLine("arrived")).isEqualTo("0");
            assertThat(master.awaitLine("arrived")).isEqualTo("0");
            master.awaitEnd();
        }
    }

    @Test
    void nothingRunsAgainAfterFiveSeconds() {
        try (MasterJvm master = MasterJvm.inSandbox(tmp, CutPrograms.class, "PT5S", "during")) {
            assertThat(master.awaitLine("distant")).isEqualTo("2");
            assertThat(master.awaitLine("ended")).isEqualTo("no");
            assertExact(master);
            assertThat(master.awaitLine("lost")).isEqualTo("0");
            assertThat(master.awaitLine("rerun")).isEqualTo("0");
            assertThat(master.awaitLine("started")).isEqualTo("4");
            assertThat(itemsOf(master, "again")).isEmpty();
            master.awaitEnd();
        }
    }

    /** The workers that are cut off end themselves when the lease is over; what they had runs on the other host. */
    @Test
    @Tag("soak")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void workRunsElsewhereWhenTheCutIsLongerThanTheLease() {
        try (MasterJvm master = MasterJvm.inSandbox(tmp, CutPrograms.class, "PT60S", "during")) {
            assertThat(master.awaitLine("distant")).isEqualTo("2");
            assertThat(Long.parseLong(master.awaitLine("ended")))
                    .as("ms after the cut, which lasts a minute")
                    .isBetween(18_000L, 60_000L);
            assertExact(master);
            assertThat(master.awaitLine("lost")).isEqualTo("2");
            assertThat(Long.parseLong(master.awaitLine("rerun"))).isPositive();
            assertThat(master.awaitLine("started")).isEqualTo("6");
            List<String> again = itemsOf(master, "again");
            assertThat(again)
                    .as("begun by a worker that was cut off, and by another")
                    .containsAll(itemsOf(master, "cut off"));
            master.awaitEnd();
        }
    }

    @Test
    @Tag("soak")
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void whatNeverArrivedBeginsOnce() {
        try (MasterJvm master = MasterJvm.inSandbox(tmp, CutPrograms.class, "PT30S", "before")) {
            assertExact(master);
            assertThat(master.awaitLine("lost")).isEqualTo("2");
            assertThat(Long.parseLong(master.awaitLine("rerun"))).isPositive();
            assertThat(itemsOf(master, "again")).isEmpty();
            master.awaitEnd();
        }
    }

    private static List<String> itemsOf(MasterJvm master, String line) {
        String items = master.awaitLine(line);
        return items.equals("[]")
                ? List.of()
                : List.of(items.substring(1, items.length() - 1).split(", "));
    }

    private static void assertExact(MasterJvm master) {
        String exact = master.awaitLine("exact");
        assertThat(exact).startsWith("true of ");
        assertThat(master.awaitLine("done")).isEqualTo(exact.substring("true of ".length()));
    }
}
