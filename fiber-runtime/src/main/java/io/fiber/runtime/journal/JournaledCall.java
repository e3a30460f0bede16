// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A call in a journal: what earlier runs have recorded of it, and where its new results go. */
public final class JournaledCall {

    final JournalIndex.Function function;
    /** Whether the file has this call. Belongs to the journal's thread. */
    boolean isEntered;

    private final Journal journal;
    private final int number;
    private final OptionalLong total;
    private final RecordedCall recorded;

    JournaledCall(
            Journal journal, JournalIndex.Function function, int number, OptionalLong total, RecordedCall recorded) {
        this.journal = journal;
        this.function = function;
        this.number = number;
        this.total = total;
        this.recorded = recorded;
    }

    /** Returns the journal, whose thread writes the results. */
    public Journal journal() {
        return journal;
    }

    /**
     * Returns the recorded result of an item. Used by one thread at a time.
     *
     * @param index the place of the item; greater than in the call before
     * @throws io.fiber.FiberException FBR-585 if the file cannot be read
     */
    public Optional<Payload> find(long index, ItemDigest item) {
        try {
            return recorded.find(index, item);
        } catch (IOException e) {
            throw journal.unreadable(e);
        }
    }

    /**
     * Records consecutive results. They survive the end of this process when the method returns. Called by the journal's
     * thread.
     *
     * @param first the place of the first item
     * @param items the digest of each item
     * @param lengths the length of each result
     * @param results the results, one behind the other
     * @throws io.fiber.FiberException FBR-584 if they cannot be written
     */
    public void write(long first, List<ItemDigest> items, List<Long> lengths, PayloadInput results) {
        ByteBuffer head = new JournalIndex.Results(function.id, number, first, items.size()).start();
        items.forEach(item -> item.write(head));
        lengths.forEach(length -> head.putInt(length.intValue()));
        journal.write(this, head.flip(), results);
    }

    /**
     * Waits until the disk has the results of a call of many items. Called by the journal's thread.
     *
     * @throws io.fiber.FiberException FBR-584 if they cannot be written
     */
    public void end() {
        if (number != JournalIndex.SINGLES) {
            journal.sync();
        }
    }

    ByteBuffer entry() {
        return JournalIndex.bodyOfCall(function.id, number, total);
    }
}
