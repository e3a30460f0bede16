// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.FiberException;
import io.fiber.SerializationException;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.Optional;

/** How a call ended; each call ends in exactly one of these ways. */
public sealed interface Reply {

    /** The object has answered with a number, or 0, and with what is sealed for this process. */
    record Answer(long argument, SealedPayload payload) implements Reply {}

    /** The object has failed the call, in the format of a {@link io.fiber.runtime.serialization.FailureCodec}. */
    record Failure(SealedPayload failure) implements Reply {}

    /** No answer will arrive. */
    record Lost(Reason reason) implements Reply {}

    /** The caller has given up, and the object had not answered before it learned of that. */
    record Abandoned() implements Reply {}

    /** Why a call was lost: an error, and an exception of this process if that is the cause. */
    record Reason(String code, String text, Optional<Throwable> cause) {
        private static final String REFUSED = "FBR-208";

        /** Creates a reason without an exception of this process. */
        public Reason(String code, String text) {
            this(code, text, Optional.empty());
        }

        /** Returns an exception with the stack trace of the calling thread. */
        public FiberException toException() {
            if (code.equals(REFUSED)) {
                return new SerializationException(code, text);
            }
            return cause.map(thrown -> new FiberException(code, text, thrown))
                    .orElseGet(() -> new FiberException(code, text));
        }

        static Reason gone(ObjectAddress object, ProcessPath who, String how) {
            return new Reason(
                    "FBR-400",
                    "The process " + who + " has ended, and with it the object " + object + " that was called: " + how
                            + ". Objects end with their process. Create this one in a process that lives longer.");
        }

        static Reason withdrawn(RpcMessage message) {
            return new Reason(
                    "FBR-421",
                    "The object " + message.object() + " of the process " + message.from()
                            + " no longer exists: it was closed there.");
        }

        /**
         * Returns the reason for a fault; one with a number of bytes means that a process had no room for them, which
         * is not a fault of Fiber.
         */
        static Reason fault(RpcMessage message) {
            String object = "object " + message.object() + " of the process " + message.from();
            long refusedBytes = message.request().argument();
            if (refusedBytes > 0) {
                String way = "on its way between this process and the " + object;
                return new Reason(REFUSED, Payload.refusedElsewhere(refusedBytes, way));
            }
            return new Reason(
                    "FBR-423",
                    "The " + object
                            + " could not handle the call because of an internal error of Fiber. See the log of that"
                            + " process.");
        }
    }
}
