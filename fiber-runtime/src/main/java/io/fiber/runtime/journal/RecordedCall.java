// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.journal;

import io.fiber.runtime.protocol.Payload;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The results that earlier runs have recorded of a call, found in the order of its items. Memory holds the records around
 * the item that was asked for last. Used by one thread at a time.
 */
public final class RecordedCall {

    private final JournalFile file;
    private final List<JournalIndex.Place> places;
    private int next;
    /** Records that may contain the next items; records of different runs overlap if chunks or items differed. */
    private final List<Block> around = new ArrayList<>();

    RecordedCall(JournalFile file, List<JournalIndex.Place> places) {
        this.file = file;
        this.places = places;
        this.places.sort(Comparator.comparingLong(JournalIndex.Place::first));
    }

    /** A record: what it tells of each result, and where the bytes of the results begin in its body. */
    private static final class Block {
        final JournalIndex.Results results;
        final ByteBuffer each;
        private final long offset;
        private int read;
        private long readBytes;

        Block(JournalFile file, long offset) throws IOException {
            this.offset = offset;
            this.results = JournalIndex.Results.read(file.body(offset, 0, JournalIndex.Results.BYTES));
            this.each =
                    file.body(offset, JournalIndex.Results.BYTES, results.count() * JournalIndex.Results.BYTES_OF_EACH);
        }

        boolean ends(long index) {
            return index >= results.first() + results.count();
        }

        boolean isOf(int at, ItemDigest digest) {
            return ItemDigest.read(each.position(at * ItemDigest.BYTES)).equals(digest);
        }

        private int length(int at) {
            return each.getInt(results.count() * ItemDigest.BYTES + at * Integer.BYTES);
        }

        Payload read(JournalFile file, int at) throws IOException {
            for (; read < at; read++) {
                readBytes += Integer.toUnsignedLong(length(read));
            }
            long from = JournalIndex.Results.BYTES
                    + (long) results.count() * JournalIndex.Results.BYTES_OF_EACH
                    + readBytes;
            return file.payload(offset, from, Integer.toUnsignedLong(length(at)));
        }
    }

    /** Returns the result of a record that has one. */
    static Payload only(JournalFile file, long offset) throws IOException {
        return new Block(file, offset).read(file, 0);
    }

    /**
     * Returns the recorded result of an item.
     *
     * @param index the place of the item; greater than in the call before
     */
    public Optional<Payload> find(long index, ItemDigest digest) throws IOException {
        while (next < places.size() && places.get(next).first() <= index) {
            around.add(new Block(file, places.get(next++).offset()));
        }
        around.removeIf(block -> block.ends(index));
        for (Block block : around) {
            int at = (int) (index - block.results.first());
            if (block.isOf(at, digest)) {
                return Optional.of(block.read(file, at));
            }
        }
        return Optional.empty();
    }
}
