// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.broadcast;

import io.fiber.FiberException;

/** Where handles that were read in a process have their values from. Thread-safe. */
interface ValueSource {

    /**
     * Returns a value; may block until it is here.
     *
     * @throws FiberException FBR-512 when it cannot be had
     */
    Object get(ValueId id);
}
