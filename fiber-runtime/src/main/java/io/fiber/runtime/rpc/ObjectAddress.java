// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.ProcessPath;
import java.io.Serializable;

/**
 * The address of an object, the same in all processes of its program; handles contain one.
 *
 * @param program the session id of the program's root
 * @param host the process in which it lives
 * @param object its number in that process
 */
public record ObjectAddress(String program, ProcessPath host, long object) implements Serializable {

    /** Returns for example {@code 0.5/1002}. */
    @Override
    public String toString() {
        return host + "/" + object;
    }
}
