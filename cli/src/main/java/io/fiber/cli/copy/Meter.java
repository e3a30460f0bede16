// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

/** Receives the progress of a copy, in the copying thread. */
public interface Meter {

    /** Reports the total amount. */
    default void begins(Totals all) {}

    /** Reports that some bytes of a file were copied. */
    default void moved(int bytes) {}

    /** Reports that an entry is done. */
    default void done(Entry.Kind kind) {}

    /** Returns a meter that ignores everything. */
    static Meter none() {
        return new Meter() {};
    }
}
