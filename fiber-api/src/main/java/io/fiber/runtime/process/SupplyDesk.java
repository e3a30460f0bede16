// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.secure.SealException;
import io.fiber.runtime.wire.Message;
import io.fiber.runtime.wire.Messages;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.Payload;
import io.fiber.runtime.wire.PayloadInput;
import io.fiber.runtime.wire.PayloadOutput;
import io.fiber.runtime.wire.codec.SupplyRequestDecoder;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;

/**
 * Answers the questions of the workers of a session. The conductor only hands them over; what is asked is looked up, and
 * the answer sealed, by threads of the session.
 */
public final class SupplyDesk implements SupplyCounter {

    static final int ANSWER = 0;
    static final int NO_ANSWER = 1;

    private final Map<Supplies.Kind, Supplies> kinds;
    private final Workshop workshop;

    /** Creates a desk; a kind that is not in the map is not answered. */
    public SupplyDesk(Map<Supplies.Kind, Supplies> kinds, Workshop workshop) {
        this.kinds = new EnumMap<>(kinds);
        this.workshop = workshop;
    }

    @Override
    public void onRequest(RemoteWorker from, Message message) {
        long request = new SupplyRequestDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version())
                .request();
        Parcel parcel = message.parcel();
        try {
            workshop.blocking().execute(() -> answer(from, request, parcel));
        } catch (RejectedExecutionException e) {
            from.post(Messages.supplyAnswer(
                    request, workshop.seals().close(refusal("The session that would answer ends."))));
        }
    }

    private void answer(RemoteWorker from, long request, Parcel parcel) {
        Payload answer;
        try {
            PayloadInput question = workshop.seals().open(parcel).open();
            answer = answer(question, from.isConfined() ? Supplies.Place.SAME_HOST : Supplies.Place.NETWORK);
        } catch (IOException | SealException | RuntimeException e) {
            answer = refusal(e.getMessage() == null ? e.toString() : e.getMessage());
        }
        Parcel sealed = workshop.seals().close(answer);
        workshop.conductor().execute(() -> from.post(Messages.supplyAnswer(request, sealed)));
    }

    private Payload answer(PayloadInput question, Supplies.Place place) throws IOException {
        int kind = question.readByte();
        for (Map.Entry<Supplies.Kind, Supplies> known : kinds.entrySet()) {
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
