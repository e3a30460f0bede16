// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

/** Is told how far a copy has come, by the thread that copies. */
public interface Meter {

    /** Says how much there is. */
    default void begins(Totals all) {}

    /** Says that some bytes of a file went. */
    default void moved(int bytes) {}

    /** Says that an entry is done. */
    default void done(Entry.Kind kind) {}

    /** Returns one that takes no notice. */
    static Meter none() {
        return new Meter() {};
    }
}
