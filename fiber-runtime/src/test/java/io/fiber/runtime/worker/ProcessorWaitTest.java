// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessorWaitTest {

    private final ProcessorWait waits = ProcessorWait.ofThisThread();

    @Test
    void waitIsTheSecondOfTheNumbers() {
        byte[] text = "49682578 54879870 166\n\0\0".getBytes(US_ASCII);

        assertThat(ProcessorWait.secondNumber(text, text.length)).isEqualTo(54_879_870);
        assertThat(ProcessorWait.secondNumber(text, 8)).isZero();
        assertThat(ProcessorWait.secondNumber(text, -1)).isZero();
    }

    @Test
    void quickWorkIsTakenAsItIs() {
        waits.begin(1_000);
        assertThat(waits.without(199_999)).isEqualTo(199_999);
    }

    /** A thousand seconds have not gone by: hardly any of them can have been spent waiting. */
    @Test
    void onlyTheWaitIsTakenOff() {
        waits.begin(1_000);
        long elapsedNs = 1_000_000_000_000L;
        assertThat(waits.without(elapsedNs)).isBetween(elapsedNs / 2, elapsedNs);
    }
}
