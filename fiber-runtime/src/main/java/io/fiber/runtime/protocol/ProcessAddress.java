// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/**
 * Identifies a process of a program.
 *
 * @param program the session id of the root
 * @param path where the process stands in the program's tree
 */
public record ProcessAddress(String program, ProcessPath path) {

    /** Returns the number of this worker in its master's session. */
    public int number() {
        return path.number();
    }
}
