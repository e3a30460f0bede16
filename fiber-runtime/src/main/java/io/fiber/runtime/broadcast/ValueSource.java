// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import io.fiber.FiberException;
import io.fiber.runtime.rpc.ProcessContext;

/** Where handles that were read in a process have their values from. Thread-safe. */
interface ValueSource {

    /**
     * Returns a value; may block until it is here.
     *
     * @throws FiberException FBR-512 when it cannot be had
     */
    Object get(ValueId id);

    /** Makes the handles that are read in a process from now on have their values from here. */
    default void enter(ProcessContext process) {
        process.add(ValueSource.class, this);
    }
}
