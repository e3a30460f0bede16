// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

/** The direction of a copy. */
public enum Direction {
    /** From this host to the backend. */
    THERE,
    /** From the backend to this host. */
    HERE
}
