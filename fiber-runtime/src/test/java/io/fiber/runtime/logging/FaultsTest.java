// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FaultsTest {

    /** There is no memory to complete it with, at first. */
    private static final class ShortOfMemory extends CompletableFuture<String> {
        private int tries;

        @Override
        public boolean completeExceptionally(Throwable thrown) {
            if (tries++ < 2) {
                throw new OutOfMemoryError("Java heap space");
            }
            return super.completeExceptionally(thrown);
        }
    }

    @Test
    void futureIsFailedAsSoonAsThereIsMemory() {
        ShortOfMemory future = new ShortOfMemory();
        OutOfMemoryError thrown = new OutOfMemoryError("while the result was read");

        Faults.fail(future, thrown);

        assertThat(future).isCompletedExceptionally();
        assertThat(future.handle((result, failure) -> failure)).isCompletedWithValue(thrown);
    }
}
