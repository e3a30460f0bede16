// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class PercentileTest {
    @Test
    void percentileIsAValueThatWasMeasured() {
        long[] sortedNs = LongStream.rangeClosed(1, 1000).map(i -> i * 1000).toArray();

        assertThat(ConnectionBenchmark.percentileUs(sortedNs, 0.5)).isEqualTo(500);
        assertThat(ConnectionBenchmark.percentileUs(sortedNs, 0.999)).isEqualTo(999);
        assertThat(ConnectionBenchmark.percentileUs(sortedNs, 1)).isEqualTo(1000);
        assertThat(ConnectionBenchmark.percentileUs(new long[] {2000}, 0.5)).isEqualTo(2);
    }
}
