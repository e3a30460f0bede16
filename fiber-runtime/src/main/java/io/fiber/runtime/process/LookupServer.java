// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.platform.SessionThreads;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.RefusedLookupException;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Hosted;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.rpc.ServiceCall;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.spi.CallerHost;
import java.io.IOException;
import java.util.Map;

/**
 * Answers the questions of a session's workers, and of no other process. The conductor only passes them on. Threads of
 * the session look up the answers and seal them.
 */
public final class LookupServer implements Hosted {

    /** A question for the bytes of a class. */
    public static final int CLASS = 1;
    /** A question for a broadcast value. */
    public static final int BROADCAST = 2;

    /** The argument of a message that is an answer. */
    static final int ANSWER = 0;
    /** The argument of a message that says why there is no answer. */
    static final int NO_ANSWER = 1;
    /** The argument of a message with the code and the reason of a {@link RefusedLookupException}. */
    static final int REFUSED = 2;

    private final Map<Integer, LookupHandler> kinds;
    private final WorkerSupervisor workers;
    private final SessionContext context;

    /** Creates the server of a session. Kinds that are not in the map get no answer. */
    public LookupServer(Map<Integer, LookupHandler> kinds, WorkerSupervisor workers, SessionContext context) {
        this.kinds = kinds;
        this.workers = workers;
        this.context = context;
    }

    @Override
    public void onCall(ServiceCall call) {
        RemoteWorker from = workers.worker(call.caller());
        if (from == null) {
            refuse(
                    call,
                    "Process " + call.caller() + " is not a worker of this session. The session answers only its own"
                            + " workers.");
            return;
        }
        CallerHost.Reach reach = from.isConfined() ? CallerHost.Reach.SAME_HOST : CallerHost.Reach.NETWORK;
        if (!SessionThreads.tryExecute(context.blocking(), () -> answer(call, reach))) {
            refuse(call, "The session cannot answer: it is closing, or it cannot start another thread.");
        }
    }

    private void answer(ServiceCall call, CallerHost.Reach reach) {
        try {
            answer(call, ANSWER, lookUp(call.request(), reach));
        } catch (RefusedLookupException e) {
            PayloadOutput why = new PayloadOutput();
            why.writeText(e.code());
            why.writeText(e.reason());
            answer(call, REFUSED, why.toPayload());
        } catch (Throwable e) {
            refuse(call, e instanceof Error || e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private Payload lookUp(Request request, CallerHost.Reach reach) throws IOException, SealException {
        LookupHandler handler = kinds.get(request.operation());
        if (handler == null) {
            throw new IOException("This session does not answer requests of kind " + request.operation() + ".");
        }
        return handler.answer(seals().open(request.body()).open(), reach);
    }

    private void refuse(ServiceCall call, String why) {
        answer(call, NO_ANSWER, Payload.ofText(why));
    }

    private void answer(ServiceCall call, int argument, Payload payload) {
        SealedPayload answer = seals().close(payload);
        context.conductor().execute(() -> call.answer(argument, answer));
    }

    private Seals seals() {
        return context.process().seals();
    }
}
