// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingTest {

    @ParameterizedTest
    @CsvSource({
        "slurm,slurm,0",
        "slurm,slrum,1",
        "slurm,slum,1",
        "slurm,sluurm,1",
        "slurm,slarm,1",
        "'',abc,3",
        "abcd,dcba,3"
    })
    void distanceCountsEachSlipOnce(String a, String b, int faults) {
        assertThat(Spelling.distance(a, b)).isEqualTo(faults);
        assertThat(Spelling.distance(b, a)).isEqualTo(faults);
    }

    @Test
    void nearestForgivesMoreInLongerNamesAndIgnoresCase() {
        List<String> names = List.of("local", "slurm", "kubernetes");

        assertThat(Spelling.nearest("kuberntse", names)).contains("kubernetes");
        assertThat(Spelling.nearest("SLURM", names)).contains("slurm");
        assertThat(Spelling.nearest("slam", names)).isEmpty();
        assertThat(Spelling.nearest("k8s", names)).isEmpty();
    }
}
