// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import org.jspecify.annotations.Nullable;

/** The combination of the results that have not been sent. Used by one thread. */
final class PartialResult {

    private boolean empty = true;
    private @Nullable Object value;

    boolean isEmpty() {
        return empty;
    }

    /** Adds the next result. If the function throws, the value is unchanged. */
    @SuppressWarnings({"unchecked", "NullAway"}) // a result is what the function returned, null where it may
    void add(CombinedFunction<?, ?> by, @Nullable Object result) {
        value = empty ? result : ((CombinedFunction<?, @Nullable Object>) by).combine(value, result);
        empty = false;
    }

    /** Returns the value and clears it. */
    @Nullable
    Object take() {
        Object taken = value;
        clear();
        return taken;
    }

    void clear() {
        value = null;
        empty = true;
    }
}
