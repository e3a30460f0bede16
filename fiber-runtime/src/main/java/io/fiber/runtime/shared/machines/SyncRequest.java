// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared.machines;

import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Request;

/**
 * What a thread asks of a machine. The header of its message has one number: the thread in the upper 32 bits, the
 * operation's number in the lower ones. A request without an answer has no thread and uses all bits for the number.
 *
 * @param number the argument of the operation: permits, a condition, a serial number; 0 if it takes none
 * @param item an item for a queue; empty if there is none
 */
public record SyncRequest(Operation operation, long thread, long number, SealedPayload item) {

    private static final int NUMBER_BITS = 32;
    private static final long NUMBER_MASK = 0xFFFF_FFFFL;
    private static final Operation[] OPERATIONS = Operation.values();

    /** Returns a request without an argument. It comes from a process, and not from one of its threads. */
    public static SyncRequest of(Operation operation) {
        return new SyncRequest(operation, 0, 0, SealedPayload.none());
    }

    /** Returns the message of a request that is answered. */
    public Request encode() {
        return new Request(operation.code(), thread << NUMBER_BITS | (number & NUMBER_MASK), item);
    }

    /** Reads what {@link #encode} wrote. */
    public static SyncRequest decode(Request message) {
        long argument = message.argument();
        return new SyncRequest(
                OPERATIONS[message.operation()], argument >>> NUMBER_BITS, argument & NUMBER_MASK, message.body());
    }

    /** Returns the message of a request without an answer. */
    public static Request encodeTold(Operation operation, long number) {
        return Request.of(operation.code(), number);
    }

    /** Returns the message that a reader is done with {@code count} deliveries from {@code first} on. */
    public static Request encodeReceived(long first, int count) {
        return encodeTold(Operation.RECEIVED, first | (count - 1L) << QueueMachine.SERIAL_BITS);
    }

    /** Reads what {@link #encodeTold} wrote. */
    static SyncRequest decodeTold(Request message) {
        return new SyncRequest(OPERATIONS[message.operation()], 0, message.argument(), message.body());
    }
}
