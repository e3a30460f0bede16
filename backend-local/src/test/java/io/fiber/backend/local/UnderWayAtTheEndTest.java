// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program that ends while calls are under way. */
@Tag("slow")
class UnderWayAtTheEndTest {

    @TempDir
    Path tmp;

    @Test
    void mainThatReturnsDropsNothing() throws Exception {
        Path notes = tmp.resolve("notes");
        try (MasterJvm master = new MasterJvm(tmp, List.of(), "returns", notes.toString())) {
            master.awaitLine("main returns");

            assertThat(master.process().waitFor(LocalFiber.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(master.process().exitValue()).isZero();
        }
        assertThat(LocalFiber.notes(notes))
                .containsExactlyInAnyOrder("call 7", "map [8, 9]", "executor 7", "process 7");
    }

    @Test
    void programThatExitsSaysWhatItDrops() throws Exception {
        try (MasterJvm master = new MasterJvm(tmp, List.of(), "exits")) {
            assertThat(master.awaitLine(
                            "This program was ended by a signal or System.exit, which also ended its session: "))
                    .isEqualTo("dropped 2 calls that had not ended.");

            assertThat(master.process().waitFor(LocalFiber.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isTrue();
            assertThat(master.process().exitValue()).isEqualTo(3);
        }
    }
}
