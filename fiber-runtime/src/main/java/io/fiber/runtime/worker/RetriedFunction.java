// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.Retry;
import io.fiber.function.SerializablePredicate;
import java.io.Serializable;
import java.util.Optional;

/**
 * A function on its way to a worker, with the exceptions after which its caller wants a task tried again.
 *
 * @param when decides about an exception of the function
 */
public record RetriedFunction(Object function, SerializablePredicate<? super Throwable> when) implements Serializable {

    /** Returns the object to send: the function itself if there are no retries, otherwise a wrapper. */
    public static Object of(Object function, Optional<Retry> retry) {
        return retry.isPresent() && retry.get().times() > 0
                ? new RetriedFunction(function, retry.get().when())
                : function;
    }

    /**
     * Returns whether a task may be tried again. If the test throws, the answer is no, and its exception is attached.
     */
    boolean allows(Throwable thrown) {
        try {
            return when.test(thrown);
        } catch (RuntimeException | Error e) {
            if (e != thrown) {
                thrown.addSuppressed(e);
            }
            return false;
        }
    }
}
