// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** A hosted object behind its calls. One thread at a time uses it. */
interface Target {

    /**
     * Values of which as many are sent as a page takes. Groups stay together.
     *
     * @param values all that are left
     * @param group how many of them belong together
     */
    record Page(Iterator<? extends @Nullable Object> values, int group) {

        /** How many bytes a page takes before it is full. */
        static final int FULL_BYTES = 1 << 16;
    }

    /**
     * Runs a call.
     *
     * @return what the caller gets: a value, or a {@link Page}
     * @throws Exception what the caller gets instead
     */
    @Nullable
    Object call(ObjectOperation operation, @Nullable Object[] arguments) throws Exception;

    /** Returns an exception for an operation that the object does not have. */
    static UnsupportedOperationException unknown(ObjectOperation operation) {
        return new UnsupportedOperationException("This object has no operation " + operation + ".");
    }
}
