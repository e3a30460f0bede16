// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.WorkerLostException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The errors of the module of types know the codes of this one. */
class ExitCodeTest {

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.EXCLUDE,
            names = {"DONE", "PROGRAM_FAILED"})
    void codeOfFiberIsNoSystemExitOfTheTask(ExitCode code) {
        assertThat(new WorkerLostException("A task", 1, "w, exit code " + code.code(), List.of()))
                .hasMessageNotContaining("System.exit");
    }

    @ParameterizedTest
    @EnumSource(names = "MASTER_LOST")
    void lossOfTheMasterIsExplained(ExitCode code) {
        assertThat(new WorkerLostException("A task", 1, "w, exit code " + code.code(), List.of()))
                .hasMessageContaining("heard nothing from its master");
    }
}
