// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.serialization.functions.FunctionName;

/** What errors call a call, the {@code number}-th of its pool, and its tasks. Thread-safe. */
public record CallTitle(String pool, long number, FunctionName function, Tasks tasks) {

    /** Returns {@code Task 7 of pool 'sweep' (call 3, com.acme.Model::score)}. */
    public String task(long index) {
        return (tasks == Tasks.ONE ? "A task" : "Task " + index) + " of pool '" + pool + "' (call " + number + ", "
                + function + ")";
    }

    /** Returns {@code call 3 of pool 'sweep' (com.acme.Model::score)}. */
    @Override
    public String toString() {
        return "call " + number + " of pool '" + pool + "' (" + function + ")";
    }

    /** How many tasks a call has. */
    public enum Tasks {
        ONE,
        MANY
    }
}
