// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A change of the code in which a deliberate bug is planted is noticed at once, not at the next search for the bugs. */
class MutantPlacesTest {

    @ParameterizedTest
    @MethodSource("io.fiber.runtime.simulation.Mutants#byHand")
    void bugHasItsPlace(Mutant mutant) {
        assertThat(mutant.planted(MutantLoader.filesOf(mutant.place().type()).get(0)).methods)
                .isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("io.fiber.runtime.simulation.Mutants#machines")
    void machineHasPlacesForBugs(String machine) {
        assertThat(Mutant.in(machine)).isNotEmpty();
    }
}
