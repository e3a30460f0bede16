// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Payload;
import org.junit.jupiter.api.Test;

class PipeSenderTest {

    private final Endpoint endpoint = new LinkedEnds().endpoint();

    @Test
    void arrayThatIsSentAgainBeforeTheEndsAreLinkedLeavesEachTimeAsItWas() {
        byte[] bytes = {1, 2};
        endpoint.sender.sendBytes(bytes);
        bytes[0] = 3;
        endpoint.sender.sendBytes(bytes);
        bytes[0] = 4;

        Payload backlog = endpoint.sender.backlogForMeeting().bytes();

        // Each message is its kind, its length and its bytes.
        assertThat(backlog.toArray()).containsExactly(1, 2, 1, 2, 1, 2, 3, 2);
    }
}
