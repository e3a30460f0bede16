// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.FiberException;
import io.fiber.RemoteTaskException;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.serialization.RemoteFailure;
import io.fiber.runtime.shared.host.ObjectOperation;
import java.io.Serializable;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** An object of another process, as this one calls it; it travels as its address. Thread-safe. */
public record RemoteObject(ProcessContext process, ObjectAddress address) implements Serializable {

    /** Calls an object that holds values or is the program's own; returns what it returned. */
    @Nullable
    Object call(ObjectOperation operation, @Nullable Object... arguments) {
        String what = operation + " of managed object " + address;
        Reply reply = process.router().await(address, request(operation, arguments), what);
        if (reply instanceof Reply.Answer answer) {
            return value(answer.payload());
        }
        throw failure(reply, operation);
    }

    /** Calls it with an argument that comes before the others. */
    @Nullable
    Object callWith(ObjectOperation operation, Object first, @Nullable Object[] others) {
        @Nullable Object[] all = new @Nullable Object[others.length + 1];
        all[0] = first;
        System.arraycopy(others, 0, all, 1, others.length);
        return call(operation, all);
    }

    Request request(ObjectOperation operation, @Nullable Object... arguments) {
        return operation.request(process, arguments);
    }

    @Nullable
    Object value(SealedPayload payload) {
        return process.codecs().values().read(open(payload), ObjectOperation.RESULT);
    }

    PayloadInput open(SealedPayload payload) {
        return process.seals().read(payload, "The answer of a managed object arrived damaged.");
    }

    /** Returns what a caller is thrown when there is no answer. */
    RuntimeException failure(Reply reply, ObjectOperation operation) {
        if (reply instanceof Reply.Lost lost) {
            return lost.reason().toException();
        }
        if (!(reply instanceof Reply.Failure failed)) {
            return new IllegalStateException("The call " + operation + " of " + this + " was abandoned.");
        }
        RemoteFailure failure = process.codecs().failures().read(open(failed.failure()));
        RemoteTaskException thrown = failure.thrownBy("The call " + operation + " of " + this);
        return operation.runsProgram() ? thrown : asJdkThrows(failure, thrown);
    }

    /** A collection throws what its contract says. */
    private static RuntimeException asJdkThrows(RemoteFailure failure, RemoteTaskException thrown) {
        Throwable original = failure.original().orElse(null);
        String message = failure.message().orElse(null);
        RuntimeException local;
        if (original instanceof FiberException fault) {
            return fault;
        } else if (original instanceof IndexOutOfBoundsException) {
            local = new IndexOutOfBoundsException(message);
        } else if (original instanceof NoSuchElementException) {
            local = new NoSuchElementException(message);
        } else if (original instanceof IllegalArgumentException) {
            local = new IllegalArgumentException(message);
        } else if (original instanceof UnsupportedOperationException) {
            local = new UnsupportedOperationException(message);
        } else {
            return thrown;
        }
        local.initCause(thrown);
        return local;
    }

    @Override
    public String toString() {
        return "managed object " + address;
    }
}
