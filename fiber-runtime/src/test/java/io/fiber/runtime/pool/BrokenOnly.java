// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.function.Consumer;

/** What hears of a call that it is broken, and of nothing else. */
final class BrokenOnly extends SinkByKind {

    private final Consumer<FiberException> broken;

    BrokenOnly(Consumer<FiberException> broken) {
        this.broken = broken;
    }

    @Override
    void onResults(long firstIndex, int count, SealedPayload results) {}

    @Override
    void onLost(long index, int attempts, Loss loss) {}

    @Override
    void onOverdue(long index, String worker) {}

    @Override
    public void onEnd(long items) {}

    @Override
    public void onBroken(FiberException cause) {
        broken.accept(cause);
    }

    @Override
    public boolean hasRoom() {
        return true;
    }
}
