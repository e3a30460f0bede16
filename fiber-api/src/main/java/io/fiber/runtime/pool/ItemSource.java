// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.codec.Input;
import org.jspecify.annotations.Nullable;

/** One item, serialized already. Belongs to the conductor once it was submitted. */
public final class ItemSource implements Source {

    private final Parcel item;
    private boolean taken;

    /** Creates a source of one item. */
    public ItemSource(Parcel item) {
        this.item = item;
    }

    @Override
    public @Nullable Chunk next(Call call, int atMost, long nowNs) {
        if (taken) {
            return null;
        }
        taken = true;
        return new Chunk(call, new Items(Input.ITEMS, 0, 1, 0, item, 0));
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
