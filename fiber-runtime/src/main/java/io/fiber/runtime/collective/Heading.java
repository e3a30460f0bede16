// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * The beginning of an operation, by which members notice if they do not call the same one.
 *
 * @param sequence number of the operation in this member, from 1
 * @param detail the kind of numbers, or the root of a broadcast; 0 if it means nothing
 * @param count how many numbers; 0 if it means nothing
 */
record Heading(Operation operation, long sequence, int detail, long count) {

    /** A collective operation; it is sent as its ordinal. */
    enum Operation {
        ALL_REDUCE,
        BROADCAST,
        BARRIER
    }

    static final int BYTES = Integer.BYTES + Long.BYTES + Integer.BYTES + Long.BYTES;

    private static final Operation[] OPERATIONS = Operation.values();

    @SuppressWarnings("EnumOrdinal") // the ordinal is sent
    void putInto(ByteBuffer target) {
        target.putInt(operation.ordinal()).putLong(sequence).putInt(detail).putLong(count);
    }

    /** Parses what {@link #putInto} wrote; empty if it is something else. */
    static Optional<Heading> read(ByteBuffer content) {
        if (content.remaining() != BYTES) {
            return Optional.empty();
        }
        int operation = content.getInt();
        return operation < 0 || operation >= OPERATIONS.length
                ? Optional.empty()
                : Optional.of(
                        new Heading(OPERATIONS[operation], content.getLong(), content.getInt(), content.getLong()));
    }

    /** Returns for example {@code allReduce of float[100] (operation 3)}. */
    String describe() {
        String what = switch (operation) {
            case ALL_REDUCE -> "allReduce of " + Numbers.nameOf(detail) + "[" + count + "]";
            case BROADCAST -> "broadcast from rank " + detail;
            case BARRIER -> "barrier";
        };
        return what + " (operation " + sequence + ")";
    }
}
