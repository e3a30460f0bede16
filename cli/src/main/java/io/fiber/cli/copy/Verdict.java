// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import java.io.Serializable;

/** The final message of the half on the backend. */
sealed interface Verdict extends Serializable {

    /** Everything was read, or has been written under its name. */
    record Done(Totals totals) implements Verdict {}

    /**
     * The half has given up.
     *
     * @param message message with its code
     */
    record Failed(String message) implements Verdict {}
}
