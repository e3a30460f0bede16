// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.protocol.SealedPayload;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Consecutive numbers: they travel as two. Belongs to the conductor. */
public final class RangeSource implements Source {

    private final Items.Form form;
    private final long first;
    private final long count;
    private long taken;

    /** Creates a source of {@code count} numbers from {@code first} on. */
    public RangeSource(Items.Form form, long first, long count) {
        this.form = form;
        this.first = first;
        this.count = count;
    }

    /** Returns the numbers, as the values of which they are a range. */
    public Iterator<? extends Number> numbers() {
        return form == Items.Form.INT_RANGE
                ? IntStream.rangeClosed((int) first, (int) (first + count - 1)).iterator()
                : LongStream.rangeClosed(first, first + count - 1).iterator();
    }

    @Override
    public @Nullable Chunk next(Call call, int atMost, long nowNs) {
        int items = (int) Math.min(count - taken, atMost);
        if (items == 0) {
            return null;
        }
        Chunk chunk = new Chunk(call, new Items(form, taken, items, first + taken, SealedPayload.none(), 0));
        taken += items;
        return chunk;
    }

    @Override
    public boolean isExhausted() {
        return taken == count;
    }

    @Override
    public long known() {
        return count - taken;
    }
}
