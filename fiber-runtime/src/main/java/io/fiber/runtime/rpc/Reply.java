// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.FiberException;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.Optional;

/** How a call ended: each call ends in exactly one of these ways. */
public sealed interface Reply {

    /**
     * The object has answered.
     *
     * @param argument the number that it gave, or 0
     * @param payload what it gave, sealed for this process
     */
    record Answer(long argument, SealedPayload payload) implements Reply {}

    /**
     * The object has failed the call.
     *
     * @param failure the encoded exception, for a {@link io.fiber.runtime.serialization.FailureCodec}
     */
    record Failure(SealedPayload failure) implements Reply {}

    /** No answer will come. */
    record Lost(Reason reason) implements Reply {}

    /** The caller has given up, and the object had not answered before it learned of that. */
    record Abandoned() implements Reply {}

    /**
     * Why a call was lost.
     *
     * @param code of the error
     * @param text for a person
     * @param cause what this process itself met, if that is why
     */
    record Reason(String code, String text, Optional<Throwable> cause) {
        /** Creates a reason that lies in another process, or in the order of things. */
        public Reason(String code, String text) {
            this(code, text, Optional.empty());
        }

        /** Returns an exception with the stack trace of the calling thread. */
        public FiberException toException() {
            return cause.map(thrown -> new FiberException(code, text, thrown))
                    .orElseGet(() -> new FiberException(code, text));
        }
    }
}
