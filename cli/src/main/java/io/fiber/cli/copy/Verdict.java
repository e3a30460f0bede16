// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import java.io.Serializable;

/** What the half on the backend says at its end. */
sealed interface Verdict extends Serializable {

    /** Everything was read, or stands under its name. */
    record Done(Totals totals) implements Verdict {}

    /**
     * It has given up.
     *
     * @param message with its code
     */
    record Failed(String message) implements Verdict {}
}
