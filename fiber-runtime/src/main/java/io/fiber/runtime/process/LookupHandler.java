// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import java.io.IOException;

/** Answers one kind of question of workers. Thread-safe; may block. */
public interface LookupHandler {

    /** The kinds of questions, each an operation of the {@link LookupServer}. */
    enum Kind {
        /** The bytes of a class. */
        CLASS(1),
        /** A value that was broadcast. */
        BROADCAST(2);

        private final int operation;

        Kind(int operation) {
            this.operation = operation;
        }

        /** Returns the number of the operation. */
        int operation() {
            return operation;
        }
    }

    /** Where the worker that asks is. */
    enum Place {
        /** On this host: it shares memory and files with this process. */
        SAME_HOST,
        /** Somewhere on the network. */
        NETWORK
    }

    /**
     * Returns the answer to a question.
     *
     * @throws IOException when there is none; its message is what the worker is told
     */
    Payload answer(PayloadInput question, Place place) throws IOException;
}
