// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.LookupRequestDecoder;
import io.fiber.runtime.security.SealException;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/**
 * Answers the questions of the workers of a session. The conductor only hands them over; what is asked is looked up, and
 * the answer sealed, by threads of the session.
 */
public final class LookupServer implements LookupListener {

    static final int ANSWER = 0;
    static final int NO_ANSWER = 1;

    private final Map<LookupHandler.Kind, LookupHandler> kinds;
    private final SessionContext context;

    /** Creates a desk; a kind that is not in the map is not answered. */
    public LookupServer(Map<LookupHandler.Kind, LookupHandler> kinds, SessionContext context) {
        this.kinds = new EnumMap<>(kinds);
        this.context = context;
    }

    @Override
    public void onRequest(RemoteWorker from, Message message) {
        long request = new LookupRequestDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version())
                .request();
        SealedPayload parcel = message.parcel();
        try {
            context.blocking().execute(() -> answer(from, request, parcel));
        } catch (RejectedExecutionException e) {
            from.post(Messages.lookupAnswer(
                    request, context.seals().close(refusal("The session that would answer ends."))));
        }
    }

    private void answer(RemoteWorker from, long request, SealedPayload parcel) {
        Payload answer;
        try {
            PayloadInput question = context.seals().open(parcel).open();
            answer = answer(question, from.isConfined() ? LookupHandler.Place.SAME_HOST : LookupHandler.Place.NETWORK);
        } catch (IOException | SealException | RuntimeException e) {
            answer = refusal(e.getMessage() == null ? e.toString() : e.getMessage());
        }
        SealedPayload sealed = context.seals().close(answer);
        context.conductor().execute(() -> from.post(Messages.lookupAnswer(request, sealed)));
    }

    private Payload answer(PayloadInput question, LookupHandler.Place place) throws IOException {
        int kind = question.readByte();
        for (Map.Entry<LookupHandler.Kind, LookupHandler> known : kinds.entrySet()) {
            if (known.getKey().code() == kind) {
                PayloadOutput out = new PayloadOutput();
                out.write(ANSWER);
                out.append(known.getValue().answer(question, place));
                return out.toPayload();
            }
        }
        throw new IOException("Questions of kind " + kind + " are not answered in this session.");
    }

    private static Payload refusal(String why) {
        PayloadOutput out = new PayloadOutput();
        out.write(NO_ANSWER);
        out.writeText(why);
        return out.toPayload();
    }
}
