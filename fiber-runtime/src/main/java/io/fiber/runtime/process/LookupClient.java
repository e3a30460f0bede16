// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.LookupAnswerDecoder;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
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
public final class LookupClient {

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
    private final Map<Long, CompletableFuture<SealedPayload>> pending = new ConcurrentHashMap<>();

    /** Creates a line; {@code sender} sends from any thread, false when that is over. */
    public LookupClient(Predicate<Outgoing> sender, Seals seals, Waiting waiting) {
        this.sender = sender;
        this.seals = seals;
        this.waiting = waiting;
    }

    /** Returns an output that begins with the kind of the question. */
    public static PayloadOutput question(LookupHandler.Kind kind) {
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
        CompletableFuture<SealedPayload> answer = new CompletableFuture<>();
        pending.put(request, answer);
        try {
            if (!sender.test(Messages.lookupRequest(request, seals.close(question)))) {
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
        if (in.readByte() != LookupServer.ANSWER) {
            throw new IOException(in.readText());
        }
        return in;
    }

    /** Takes an answer. Called by the conductor. */
    public void onAnswer(Message message) {
        long request = new LookupAnswerDecoder()
                .wrap(message.buffer(), message.offset(), message.blockLength(), message.version())
                .request();
        CompletableFuture<SealedPayload> waits = pending.get(request);
        if (waits != null) {
            waits.complete(message.parcel());
        }
    }
}
