// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.runtime.protocol.Payload;
import java.util.Optional;
import java.util.OptionalLong;

/** A function in a journal. Thread-safe. */
public final class JournaledFunction {

    private final Journal journal;
    private final JournalIndex.Function function;

    JournaledFunction(Journal journal, JournalIndex.Function function) {
        this.journal = journal;
        this.function = function;
    }

    /**
     * Returns the next call of the function with many items. The first call of this run continues the first one of an
     * earlier run, and so on.
     *
     * @param total how many items it has, if that is known
     */
    public JournaledCall begin(OptionalLong total) {
        return journal.begin(function, total);
    }

    /** Returns the recorded result of a task that is submitted alone; each record is returned once. */
    public Optional<Payload> takeSingle(ItemDigest item) {
        return journal.takeSingle(function, item);
    }

    /** Returns where results of tasks go that are submitted alone. */
    public JournaledCall singles() {
        return journal.singles(function);
    }
}
