// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.host;

import org.jspecify.annotations.Nullable;

/** A hosted object behind its calls. One thread at a time uses it. */
interface Target {

    /**
     * Runs a call. The result is serialized before the next call.
     *
     * @throws Throwable the caller gets it instead of a result
     */
    @Nullable
    Object call(ObjectOperation operation, @Nullable Object[] arguments) throws Throwable;

    /** Returns an exception for an operation that the object does not have. */
    static UnsupportedOperationException unknown(ObjectOperation operation) {
        return new UnsupportedOperationException("This object has no operation " + operation + ".");
    }
}
