// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.WaitInterruptedException;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.shared.host.ObjectOperation;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import io.fiber.runtime.shared.machines.SyncReply;
import io.fiber.runtime.shared.machines.SyncRequest;
import java.time.Duration;
import java.util.Optional;

/** A synchronizer or queue of another process, as this one calls it. Thread-safe. */
abstract class SyncProxy extends Proxied {
    private static final long serialVersionUID = 1L;

    private final transient String name;

    /** Creates a proxy; the name is what is waited for, for texts. */
    SyncProxy(RemoteObject remote, ObjectHandle handle, String name) {
        super(remote, handle);
        this.name = name;
    }

    /** Asks for what is answered at once, or waits also when the thread is interrupted. */
    final SyncReply now(Operation operation, long number) {
        return now(operation, number, SealedPayload.none());
    }

    final SyncReply now(Operation operation, long number, SealedPayload item) {
        return read(operation, awaitUninterruptibly(operation, number, item));
    }

    /**
     * Asks and waits.
     *
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the request is withdrawn then
     */
    final SyncReply call(Operation operation, long number) {
        return call(operation, number, SealedPayload.none());
    }

    final SyncReply call(Operation operation, long number, SealedPayload item) {
        Request request = request(operation, number, item);
        return read(operation, remote().process().router().await(remote().address(), request, name));
    }

    /** As without a limit; empty when time was up, and the request is withdrawn. */
    final Optional<SyncReply> call(Operation operation, long number, Duration limit) {
        return call(operation, number, SealedPayload.none(), limit);
    }

    final Optional<SyncReply> call(Operation operation, long number, SealedPayload item, Duration limit) {
        Request request = request(operation, number, item);
        Reply reply = remote().process().router().await(remote().address(), request, limit, name);
        return reply instanceof Reply.Abandoned ? Optional.empty() : Optional.of(read(operation, reply));
    }

    /** Asks and waits, also when the thread is interrupted, for whatever becomes of it. */
    final Reply awaitUninterruptibly(Operation operation, long number, SealedPayload item) {
        Request request = request(operation, number, item);
        return remote().process().router().awaitUninterruptibly(remote().address(), request);
    }

    private static Request request(Operation operation, long number, SealedPayload item) {
        return new SyncRequest(operation, Thread.currentThread().getId(), number, item).encode();
    }

    private SyncReply read(Operation operation, Reply reply) {
        if (!(reply instanceof Reply.Answer answer)) {
            throw failure(operation, reply);
        }
        SyncReply read = SyncReply.of(answer.argument(), answer.payload());
        if (read.outcome() == Outcome.UNKNOWN_OPERATION) {
            throw new UnsupportedOperationException("FBR-436 " + name + " " + remote().address()
                    + " does not know this operation in the process that holds it. Run the same version of Fiber in"
                    + " both processes.");
        }
        return read;
    }

    RuntimeException failure(Operation operation, Reply reply) {
        return remote().failure(reply, ObjectOperation.CALL);
    }
}
