// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import io.fiber.FiberException;
import io.fiber.runtime.rpc.ProcessContext;

/** The source of values for handles that were deserialized in a process. Thread-safe. */
interface ValueSource {

    /**
     * Returns a value; may block until it is here.
     *
     * @throws FiberException FBR-512 if it is not available
     */
    Object get(ValueId id);

    /** Makes this the source for handles that are deserialized in a process from now on. */
    default void enter(ProcessContext process) {
        process.add(ValueSource.class, this);
    }
}
