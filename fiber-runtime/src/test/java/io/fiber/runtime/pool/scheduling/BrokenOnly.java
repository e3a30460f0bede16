// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.FiberException;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.function.Consumer;

/** What hears of a call that it is broken, and of nothing else. */
public final class BrokenOnly extends SinkByKind {

    private final Consumer<FiberException> broken;

    /** Creates a sink; {@code broken} takes why it is broken. */
    public BrokenOnly(Consumer<FiberException> broken) {
        this.broken = broken;
    }

    @Override
    protected void onResults(long firstIndex, int count, SealedPayload results) {}

    @Override
    protected void onLost(long index, int attempts, Loss loss) {}

    @Override
    protected void onOverdue(long index, String worker) {}

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
