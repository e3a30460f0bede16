// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.FiberException;
import io.fiber.runtime.channel.DirectLink;
import io.fiber.runtime.channel.LinkWait;
import io.fiber.runtime.channel.PartKind;
import io.fiber.runtime.protocol.HeapShare;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadJoiner;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.serialization.ValueName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The receiving side of an end. The receiving thread itself reads the link. If the other end was closed, its process
 * may want to end, so the conductor moves what is still in the link to memory here. After the last frame comes what the
 * other end left at the rendezvous, and then the end of the stream.
 */
final class PipeReceiver {

    /** How long frames of a dead process may still be in transit over a network. */
    private static final long LAST_FRAMES_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int TAKEN_AT_ONCE = 64;
    private static final ValueName MESSAGE = new ValueName("a message", "a pipe");
    private static final String WHAT = "a message";

    private final Endpoint endpoint;
    private final Pipes pipes;
    private final ReentrantLock lock = new ReentrantLock();
    /** Complete messages that have arrived. */
    private final ArrayDeque<PipeMessage> messages = new ArrayDeque<>();

    private final LinkWait patience = new LinkWait();
    private final DirectLink.Handler taker = this::onPart;
    private final UnsafeBuffer view = new UnsafeBuffer();
    /** Joins the parts of the message that is arriving. */
    private @Nullable PayloadJoiner joiner;

    private volatile boolean endArrived;
    private boolean drained;
    private boolean ended;
    private volatile boolean inParts;
    private boolean silent;
    private long silentSinceNs;

    PipeReceiver(Endpoint endpoint, Pipes pipes) {
        this.endpoint = endpoint;
        this.pipes = pipes;
    }

    /** Returns whether the other end has said over the link that nothing follows. */
    boolean hasEnd() {
        return endArrived;
    }

    @Nullable
    Object receiveObject() {
        PipeMessage message = take(PartKind.OBJECT);
        return pipes.codecs().values().read(message.payload().open(), MESSAGE);
    }

    byte[] receiveBytes() {
        return take(PartKind.BYTES).payload().requireKept().toArray();
    }

    boolean poll(Duration timeout) {
        long limitNs = Math.max(0, TimeUnit.NANOSECONDS.convert(timeout));
        long beginNs = System.nanoTime();
        if (!endpoint.lock(lock, limitNs, WHAT)) {
            return false;
        }
        try {
            return await(Math.max(0, limitNs - (System.nanoTime() - beginNs))) || ended;
        } finally {
            lock.unlock();
        }
    }

    private PipeMessage take(PartKind wanted) {
        endpoint.lock(lock, Endpoint.FOR_EVER, WHAT);
        try {
            if (!await(Endpoint.FOR_EVER)) {
                throw endArrived || endpoint.other() != Endpoint.Other.CLOSED_LINKED
                        ? endpoint.endOfReceiving()
                        : lost(endpoint.handle.describe());
            }
            PipeMessage message = messages.element();
            if (message.kind() != wanted) {
                throw new FiberException(
                        "FBR-456",
                        "The next message of " + endpoint.handle.describe() + " is "
                                + (wanted == PartKind.OBJECT
                                        ? "bytes. Call receiveBytes() to receive them"
                                        : "an object. Call receive() to receive it")
                                + ". The message stays in the pipe.");
            }
            messages.remove();
            return message;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the exception for an end that was closed after messages of which the last never arrived. */
    static FiberException lost(String pipe) {
        return new FiberException(
                "FBR-457",
                "The other end of " + pipe
                        + " was closed before its last messages arrived: its process was killed or cut off. The"
                        + " messages that arrived are not all that were sent.");
    }

    /** Waits until a message is ready; returns false if the stream has ended or the time has passed. */
    private boolean await(long limitNs) {
        patience.reset();
        long startNs = limitNs == Endpoint.FOR_EVER ? 0 : System.nanoTime();
        while (true) {
            if (look()) {
                return true;
            }
            if (ended) {
                return false;
            }
            endpoint.requireUsable();
            long leftNs = limitNs == Endpoint.FOR_EVER ? Endpoint.FOR_EVER : limitNs - (System.nanoTime() - startNs);
            if (leftNs <= 0) {
                return false;
            }
            idle(leftNs);
        }
    }

    private void idle(long leftNs) {
        if (endpoint.stage() == Endpoint.Stage.JOINING) {
            endpoint.awaitJoined(leftNs, WHAT);
            return;
        }
        patience.idle();
        if (Thread.interrupted()) {
            throw endpoint.interrupted(WHAT, new InterruptedException());
        }
    }

    /** Checks for a message, and reads its parts as long as they arrive. */
    private boolean look() {
        DirectLink link = endpoint.link();
        while (messages.isEmpty() && link != null && !drained) {
            int parts = link.poll(taker, 1);
            if (parts == 0) {
                drained = endArrived || hasEnded(link, taker);
                if (!drained && messages.isEmpty()) {
                    return false;
                }
            } else {
                silent = false;
                patience.reset();
            }
        }
        if (messages.isEmpty() && (drained || endpoint.stage() == Endpoint.Stage.OVER)) {
            endpoint.requireUsable();
            takeWhatWasLeft();
        }
        return !messages.isEmpty();
    }

    /** Passes on the next part without joining it to a message; returns whether there was one. */
    boolean pollPart(DirectLink link, DirectLink.Handler handler) {
        lock.lock();
        try {
            boolean arrived = link.poll(handler, 1) > 0;
            silent &= !arrived;
            return arrived;
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether no part will follow, after {@link #pollPart} found none. */
    boolean hasPartsEnded(DirectLink link, DirectLink.Handler handler) {
        lock.lock();
        try {
            return hasEnded(link, handler);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns whether nothing will follow, although nothing has arrived just now. What arrives at the last moment goes
     * to {@code handler}.
     */
    private boolean hasEnded(DirectLink link, DirectLink.Handler handler) {
        String fault = link.fault();
        if (fault != null) {
            throw new FiberException(
                    "FBR-454", "The link of " + endpoint.handle.describe() + " cannot be used any more: " + fault);
        }
        boolean isClosed = link.isClosed();
        boolean isDead = endpoint.other() == Endpoint.Other.DIED;
        if (!isClosed && !isDead) {
            return false;
        }
        if (isClosed ? endpoint.other() != Endpoint.Other.OPEN : link.isConfined()) {
            return link.poll(handler, 1) == 0;
        }
        return hasBeenSilentFor(isClosed ? Endpoint.WORD_LIMIT_NS : LAST_FRAMES_NS);
    }

    private boolean hasBeenSilentFor(long limitNs) {
        long nowNs = System.nanoTime();
        if (!silent) {
            silent = true;
            silentSinceNs = nowNs;
        }
        return nowNs - silentSinceNs > limitNs;
    }

    private void takeWhatWasLeft() {
        if (!ended) {
            ended = true;
            readWhatWasLeft();
            DirectLink link = endpoint.link();
            if (link != null) {
                link.close();
            }
        }
    }

    private void readWhatWasLeft() {
        try {
            PayloadInput in = pipes.seals().open(endpoint.left()).open();
            while (in.remaining() > 0) {
                PartKind kind = in.readByte() == PartKind.OBJECT.number() ? PartKind.OBJECT : PartKind.BYTES;
                PayloadOutput whole = new PayloadOutput();
                in.slice(in.readVarLong()).transferTo(whole);
                messages.add(new PipeMessage(kind, whole.toPayload()));
            }
        } catch (IOException | SealException e) {
            throw new FiberException(
                    "FBR-454",
                    "The last messages from the other end of " + endpoint.handle.describe() + " cannot be read.",
                    e);
        }
    }

    private void onPart(PartKind kind, long remaining, ByteBuffer content) {
        if (kind == PartKind.END) {
            endArrived = true;
            return;
        }
        boolean isLast = content.remaining() == remaining;
        PayloadJoiner current = joiner;
        if (current == null && isLast) {
            view.wrap(content);
            messages.add(new PipeMessage(kind, Payload.copyOf(view, content.position(), content.remaining())));
            return;
        }
        if (current == null) {
            // A share of its own, because messages that wait here are not counted together.
            current = new PayloadJoiner(remaining, HeapShare.ofHeap());
            joiner = current;
        }
        content.limit(content.position() + (int) Math.min(content.remaining(), current.missing()));
        current.append(content);
        if (isLast) {
            joiner = null;
            messages.add(new PipeMessage(kind, current.toPayload()));
        }
    }

    /**
     * Takes what the other end had sent before it was closed, so that its process may end, whenever a thread receives
     * here. The conductor calls it.
     *
     * @return whether nothing more follows
     */
    boolean keepUntilEnd(DirectLink link) {
        if (inParts) {
            return true;
        }
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (!endArrived && link.poll(taker, TAKEN_AT_ONCE) == 0) {
                return link.isClosed();
            }
            if (endArrived) {
                link.close();
            }
            return endArrived;
        } finally {
            lock.unlock();
        }
    }

    /** Leaves joining parts to the caller; no part is kept. */
    void leaveParts() {
        inParts = true;
    }

    /**
     * Drops some of what arrives after this end was closed, because the other end may send faster than this one reads
     * until it learns of the close. The conductor calls it.
     *
     * @return whether the other end has closed too
     */
    boolean dropUntilEnd(DirectLink link) {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (!endArrived) {
                link.poll(taker, TAKEN_AT_ONCE);
                messages.clear();
            }
            return endArrived || link.isClosed() || endpoint.other() == Endpoint.Other.DIED;
        } finally {
            lock.unlock();
        }
    }
}
