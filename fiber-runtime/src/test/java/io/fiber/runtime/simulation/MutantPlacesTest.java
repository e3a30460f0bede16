// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A change of a line that a deliberate bug replaces is noticed at once, not at the next search for the bugs. */
class MutantPlacesTest {

    @ParameterizedTest
    @MethodSource("io.fiber.runtime.simulation.MutantsTest#mutants")
    void lineThatABugReplacesIsThere(Mutant mutant) throws IOException {
        assertThat(MutantLoader.sourceOf(mutant)).contains(mutant.wrong());
    }
}
