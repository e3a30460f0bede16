// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberException;
import org.junit.jupiter.api.Test;

class ProcessPathTest {

    @Test
    void textNamesTheJobsFromTheRootDown() {
        assertThat(ProcessPath.root()).hasToString("0");
        assertThat(ProcessPath.root().child(5).child(3)).hasToString("0.5.3").isEqualTo(ProcessPath.of(5, 3));
    }

    @Test
    void processIsUnderItselfAndThoseThatStartedIt() {
        ProcessPath path = ProcessPath.of(5, 3);
        assertThat(path.isUnder(path)).isTrue();
        assertThat(path.isUnder(ProcessPath.of(5))).isTrue();
        assertThat(path.isUnder(ProcessPath.root())).isTrue();
        assertThat(path.isUnder(ProcessPath.of(3))).isFalse();
        assertThat(ProcessPath.of(5).isUnder(path)).isFalse();
    }

    @Test
    void processOfTheEighthLevelHasNoWorkers() {
        assertThatCode(ProcessPath.of(1, 1, 1, 1, 1, 1, 1)::requireRoomBelow).doesNotThrowAnyException();
        assertThatThrownBy(ProcessPath.of(1, 1, 1, 1, 1, 1, 1, 1)::requireRoomBelow)
                .isInstanceOf(FiberException.class)
                .hasMessage("FBR-425 Process 0.1.1.1.1.1.1.1.1 is 8 levels below the first process of its program. At"
                        + " this depth, a process cannot start others. Start them from a process further up.");
    }

    @Test
    void numbersOfAPathAreAboveZeroAndUpToEight() {
        assertThatThrownBy(() -> ProcessPath.of(1, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The path [1, 0]; expected up to 8 numbers above 0.");
        assertThatThrownBy(() -> ProcessPath.of(1, 1, 1, 1, 1, 1, 1, 1, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
