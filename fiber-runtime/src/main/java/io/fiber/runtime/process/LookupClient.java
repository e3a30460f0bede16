// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.RefusedLookupException;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.SealException;
import java.io.IOException;

/**
 * Asks the process that started this worker: its questions are calls of that process's {@link LookupServer}.
 * Thread-safe. A question blocks its thread until the answer has arrived, even if the thread is interrupted. It has no
 * time limit, because a master that is silent for longer than the lease ends the worker.
 */
public final class LookupClient {

    private final RpcRouter router;
    private final ObjectAddress server;

    /** Creates the client of a worker; {@code object} is the number of the master's {@link LookupServer}. */
    public LookupClient(RpcRouter router, long object) {
        this.router = router;
        this.server = router.atMaster(object);
    }

    /**
     * Asks a question and returns the answer.
     *
     * @param kind a kind of question of {@link LookupServer}
     * @throws RefusedLookupException as the handler threw it
     * @throws IOException with the master's reason if it has no answer
     */
    public PayloadInput ask(int kind, Payload question) throws IOException {
        Request request = Request.of(kind, router.seals().close(question));
        Reply reply = router.awaitUninterruptibly(server, request);
        if (!(reply instanceof Reply.Answer answer)) {
            throw new IOException(
                    reply instanceof Reply.Lost lost ? lost.reason().text() : "The master did not answer: " + reply);
        }
        try {
            PayloadInput in = router.seals().open(answer.payload()).open();
            if (answer.argument() == LookupServer.REFUSED) {
                throw new RefusedLookupException(in.readText(), in.readText());
            }
            if (answer.argument() != LookupServer.ANSWER) {
                throw new IOException(in.readText());
            }
            return in;
        } catch (SealException e) {
            throw new IOException("The master's answer arrived damaged.", e);
        }
    }
}
