// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What an operation begins with, so that members notice when they do not do the same.
 *
 * @param sequence which operation of the member it is, from 1
 * @param detail the kind of numbers, or the root of a broadcast; 0 when it means nothing
 * @param count how many numbers; 0 when it means nothing
 */
record Heading(Operation operation, long sequence, int detail, long count) {

    /** What all members do together; it travels as its position here. */
    enum Operation {
        ALL_REDUCE,
        BROADCAST,
        BARRIER
    }

    static final int BYTES = Integer.BYTES + Long.BYTES + Integer.BYTES + Long.BYTES;

    private static final Operation[] OPERATIONS = Operation.values();

    @SuppressWarnings("EnumOrdinal") // the position is what travels
    void putInto(ByteBuffer target) {
        target.putInt(operation.ordinal()).putLong(sequence).putInt(detail).putLong(count);
    }

    /** Reads what {@link #putInto} wrote; empty when it is something else. */
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
