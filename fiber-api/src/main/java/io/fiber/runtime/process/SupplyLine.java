// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.secure.SealException;
import io.fiber.runtime.secure.Seals;
import io.fiber.runtime.wire.Message;
import io.fiber.runtime.wire.Messages;
import io.fiber.runtime.wire.Outgoing;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.Payload;
import io.fiber.runtime.wire.PayloadInput;
import io.fiber.runtime.wire.PayloadOutput;
import io.fiber.runtime.wire.codec.SupplyAnswerDecoder;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A worker's line to the process that started it. Thread-safe. A question blocks its thread until the answer is there;
 * there is no limit of its own, because a master that is silent for longer than the lease ends the worker.
 */
public final class SupplyLine {

    /** Waits in the way that fits the thread: a task thread must do the conductor's work meanwhile. */
    @FunctionalInterface
    public interface Waiting {
        /** Returns when the future is done. */
        void await(CompletableFuture<?> future);
    }

    private final Predicate<Outgoing> sender;
    private final Seals seals;
    private final Waiting waiting;
    private final AtomicLong requests = new AtomicLong();
    private final Map<Long, CompletableFuture<Parcel>> pending = new ConcurrentHashMap<>();

    /** Creates a line; {@code sender} sends from any thread, false when that is over. */
    public SupplyLine(Predicate<Outgoing> sender, Seals seals, Waiting waiting) {
        this.sender = sender;
        this.seals = seals;
        this.waiting = waiting;
    }

    /** Returns an output that begins with the kind of the question. */
    public static PayloadOutput question(Supplies.Kind kind) {
        PayloadOutput out = new PayloadOutput();
        out.write(kind.code());
        return out;
    }

    /**
     * Asks, and returns the answer.
     *
     * @throws IOException with what the other side says when it has none
     */
    public PayloadInput ask(Payload question) throws IOException {
        long request = requests.incrementAndGet();
        CompletableFuture<Parcel> answer = new CompletableFuture<>();
        pending.put(request, answer);
        try {
            if (!sender.test(Messages.supplyRequest(request, seals.close(question)))) {
                throw new IOException("This process ends; it can ask for nothing any more.");
            }
            waiting.await(answer);
        } finally {
            pending.remove(request);
        }
        PayloadInput in;
        try {
            in = seals.open(answer.join()).open();
        } catch (SealException e) {
            throw new IOException("The answer is damaged.", e);
        }
        if (in.readByte() != SupplyDesk.ANSWER) {
            throw new IOException(in.readText());
        }
        return in;
    }

    /** Takes an answer. Called by the conductor. */
    public void onAnswer(Message message) {
        long request = new SupplyAnswerDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version())
                .request();
        CompletableFuture<Parcel> waits = pending.get(request);
        if (waits != null) {
            waits.complete(message.parcel());
        }
    }
}
