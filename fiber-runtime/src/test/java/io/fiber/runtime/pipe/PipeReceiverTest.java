// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PipeReceiverTest {

    @Test
    void lostEndSaysThatWhatHasArrivedIsNotTheWhole() {
        assertThat(PipeReceiver.lost("pipe 0/1000"))
                .hasMessage(
                        "FBR-457 The other end of pipe 0/1000 was closed, and what it had sent last has not arrived:"
                                + " its process was killed or cut off. What arrived is not complete.");
    }
}
