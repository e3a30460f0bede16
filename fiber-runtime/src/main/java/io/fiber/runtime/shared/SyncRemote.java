// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.WaitInterruptedException;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import java.time.Duration;
import java.util.Optional;

/**
 * A synchronizer or queue of another process, as this one calls it. Thread-safe.
 *
 * @param remote the object
 * @param name what it is, for texts
 */
record SyncRemote(RemoteObject remote, String name) {

    /** Asks for what is answered at once, also when the thread has been interrupted. */
    SyncReply now(Operation operation, long number) {
        return now(operation, number, SealedPayload.none());
    }

    SyncReply now(Operation operation, long number, SealedPayload item) {
        boolean interrupted = Thread.interrupted();
        try {
            return await(operation, number, item);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Asks and waits.
     *
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the request is withdrawn then
     */
    SyncReply await(Operation operation, long number, SealedPayload item) {
        Reply reply = remote.process().router().await(remote.address(), request(operation, number, item), name);
        return read(reply)
                .orElseThrow(
                        () -> new IllegalStateException("The call " + operation + " of " + this + " was given up."));
    }

    /**
     * Asks and waits so long; empty when time was up, and the request is withdrawn.
     *
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the request is withdrawn then
     */
    Optional<SyncReply> await(Operation operation, long number, SealedPayload item, Duration limit) {
        return read(remote.process().router().await(remote.address(), request(operation, number, item), limit, name));
    }

    static Request request(Operation operation, long number, SealedPayload item) {
        long thread = Thread.currentThread().getId();
        return new Request(operation.code(), SyncArgument.ofRequest(thread, number), item);
    }

    private Optional<SyncReply> read(Reply reply) {
        if (reply instanceof Reply.Answer answer) {
            SyncReply read = SyncArgument.reply(answer.argument(), answer.payload());
            if (read.outcome() == Outcome.UNKNOWN_OPERATION) {
                throw new UnsupportedOperationException(
                        "FBR-436 " + this + " has no such operation at its host. Caller and host must have the same"
                                + " version of Fiber.");
            }
            return Optional.of(read);
        }
        if (reply instanceof Reply.Abandoned) {
            return Optional.empty();
        }
        throw remote.failure(reply, ObjectOperation.CALL);
    }

    @Override
    public String toString() {
        return name + " " + remote.address();
    }
}
