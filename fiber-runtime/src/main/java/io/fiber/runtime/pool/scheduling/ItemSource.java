// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.protocol.SealedPayload;
import org.jspecify.annotations.Nullable;

/** One item, serialized already. Belongs to the conductor once it was submitted. */
public final class ItemSource implements Source {

    private SealedPayload item;
    private final Runnable whenClosed;
    private boolean taken;

    /** Creates a source of one item; {@code whenClosed} is run once its call has ended. */
    public ItemSource(SealedPayload item, Runnable whenClosed) {
        this.item = item;
        this.whenClosed = whenClosed;
    }

    /** The future of a call that has ended still knows the call, and must not keep its argument. */
    @Override
    public void close() {
        item = SealedPayload.none();
        whenClosed.run();
    }

    @Override
    public @Nullable Chunk next(Call call, int atMost, long nowNs) {
        if (taken) {
            return null;
        }
        taken = true;
        return new Chunk(call, new Items(Items.Form.ENCODED, 0, 1, 0, item, 0));
    }

    @Override
    public boolean isExhausted() {
        return taken;
    }

    @Override
    public long known() {
        return taken ? 0 : 1;
    }
}
