// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.RefusedLookupException;
import io.fiber.spi.CallerHost;
import java.io.IOException;

/** Answers one kind of question from workers. Thread-safe; may block. */
public interface LookupHandler {

    /**
     * Returns the answer to a question.
     *
     * @param reach whether the worker that asks shares this host's memory and files
     * @throws RefusedLookupException if there is none, for a reason with a code; the worker gets an equal exception
     * @throws IOException if there is none; the worker gets its message
     */
    Payload answer(PayloadInput question, CallerHost.Reach reach) throws IOException;
}
