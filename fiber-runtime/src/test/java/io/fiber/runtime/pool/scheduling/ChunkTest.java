// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.pool.scheduling.Items.Form;
import io.fiber.runtime.protocol.SealedPayload;
import org.junit.jupiter.api.Test;

/** What a chunk may be. */
class ChunkTest {

    @Test
    void chunkWithoutItemsIsRefused() {
        Call call = FixedCalls.ofRange(1, 1, 1);

        assertThatThrownBy(() -> new Chunk(call, new Items(Form.INT_RANGE, 7, 0, 7, SealedPayload.none(), 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A chunk of 0 items from item 7 on: its worker would return no result, and the call would"
                        + " never end.");
    }
}
