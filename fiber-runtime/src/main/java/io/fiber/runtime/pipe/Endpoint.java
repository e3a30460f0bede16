// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.EndOfStreamException;
import io.fiber.FiberException;
import io.fiber.WaitInterruptedException;
import io.fiber.runtime.channel.DirectLink;
import io.fiber.runtime.channel.DirectLinks;
import io.fiber.runtime.channel.LinkHandshake;
import io.fiber.runtime.channel.LinkInvitation;
import io.fiber.runtime.eventloop.Waiter;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.rpc.Request;
import io.fiber.runtime.security.SealException;
import io.fiber.spi.transport.TransportException;
import java.io.IOException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An end of a pipe in the only process that uses it. The conductor changes its state, and the threads that send and
 * receive read it. {@link #join}, {@link #close} and methods that only read are thread-safe.
 */
final class Endpoint implements DirectLinks.Listener {

    /** How long the rendezvous may take to report what happened to the other end after its link has closed. */
    static final long WORD_LIMIT_NS = TimeUnit.SECONDS.toNanos(3);

    /** Stands for no time limit. */
    static final long FOR_EVER = Long.MAX_VALUE;

    /** How often a thread that waits for the link checks it. */
    private static final long LOOK_NS = 100_000_000;

    /** The state of the end. */
    enum Stage {
        UNUSED,
        JOINING,
        LINKED,
        OVER
    }

    /** What is known about the other end. */
    enum Other {
        OPEN,
        CLOSED,
        /** It was closed and says so over the link, after its last messages. */
        CLOSED_LINKED,
        DIED
    }

    final PipeHandle handle;
    final PipeSender sender;
    final PipeReceiver receiver;
    private final Pipes pipes;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final ConcurrentLinkedQueue<Waiter> waiters = new ConcurrentLinkedQueue<>();
    private volatile Stage stage = Stage.UNUSED;
    private volatile Other other = Other.OPEN;
    private volatile @Nullable DirectLink link;
    private volatile @Nullable FiberException failure;
    private volatile SealedPayload left = SealedPayload.none();
    private @Nullable LinkHandshake meeting;
    private @Nullable Runnable endWatch;
    private @Nullable String notLinked;
    private long wordEndNs;

    Endpoint(Pipes pipes, PipeHandle handle) {
        this.pipes = pipes;
        this.handle = handle;
        this.sender = new PipeSender(this, pipes);
        this.receiver = new PipeReceiver(this, pipes);
    }

    /** Returns the link once there is one; null before. */
    @Nullable
    DirectLink link() {
        return link;
    }

    Stage stage() {
        return stage;
    }

    Other other() {
        return other;
    }

    /** Returns what the other end had sent before it closed, unless it went over a link. */
    SealedPayload left() {
        return left;
    }

    boolean isClosing() {
        return closing.get();
    }

    /** Records that the link is no longer driven, so that no thread waits for it. */
    void onProcessEnds() {
        fail(new FiberException(
                "FBR-302", "The session of " + handle.describe() + " is closed, or its process is ending."));
    }

    /** Starts using the end, at the first call. */
    void join() {
        if (stage == Stage.UNUSED && begun.compareAndSet(false, true)) {
            stage = Stage.JOINING;
            pipes.router().call(handle.meeting(), Request.of(PipeRendezvous.ATTACH, handle.side()), this::onWord);
        }
    }

    /**
     * Acquires the lock of one side of the end, which is used from now on. Another receiving thread holds it while it
     * waits.
     *
     * @param limitNs how long this may take; {@link #FOR_EVER} for no limit
     * @return whether this thread has the lock
     * @throws FiberException FBR-452 to FBR-455 if the end cannot be used
     * @throws WaitInterruptedException if the thread is interrupted
     */
    boolean lock(ReentrantLock side, long limitNs, String what) {
        requireUsable();
        join();
        try {
            return side.tryLock() || side.tryLock(limitNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        }
    }

    /**
     * Waits until the two ends are linked or cannot be, or the time has passed.
     *
     * @throws WaitInterruptedException if the thread is interrupted
     */
    void awaitJoined(long limitNs, String what) {
        Waiter waiter = new Waiter();
        waiters.add(waiter);
        try {
            if (stage == Stage.JOINING && !isClosing()) {
                pipes.router().conductor().await(() -> {}, waiter, Math.min(limitNs, LOOK_NS));
            }
        } catch (InterruptedException e) {
            throw interrupted(what, e);
        } finally {
            waiters.remove(waiter);
        }
    }

    WaitInterruptedException interrupted(String what, InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new WaitInterruptedException(what + " of " + handle.describe(), cause);
    }

    /**
     * Checks that the end can be used.
     *
     * @throws FiberException FBR-452 to FBR-455 if it cannot
     */
    void requireUsable() {
        FiberException failed = failure;
        if (isClosing()) {
            throw new FiberException(
                    "FBR-453", "This end of " + handle.describe() + " was closed in this process. Make another pipe.");
        }
        if (failed != null) {
            throw new FiberException(String.valueOf(failed.getMessage()), failed);
        }
    }

    /** Returns the exception for a sender whose other end is gone. */
    EndOfStreamException endOfSending() {
        return new EndOfStreamException("FBR-451", "Messages can no longer be received: " + whatIsGone() + ".");
    }

    /** Returns the exception for a receiver whose other end is gone. */
    EndOfStreamException endOfReceiving() {
        return new EndOfStreamException("FBR-450", "No more messages will arrive: " + whatIsGone() + ".");
    }

    private String whatIsGone() {
        DirectLink current = link;
        String what = "the other end of " + handle.describe();
        // What the other end says over the link may arrive before the rendezvous reports it.
        boolean hasEnd = other == Other.OPEN && receiver.hasEnd();
        return switch (hasEnd ? Other.CLOSED : other) {
            case CLOSED, CLOSED_LINKED -> what + " was closed";
            case DIED -> "the process that used " + what + " has ended";
            case OPEN -> what + " is gone (" + (current == null ? "never there" : current.closeReason()) + ")";
        };
    }

    private FiberException notMet(String reason) {
        return new FiberException(
                "FBR-454", "The two ends of " + handle.describe() + " could not be linked: " + reason);
    }

    private void invite() {
        if (stage != Stage.JOINING || isClosing()) {
            return;
        }
        try {
            LinkHandshake begunMeeting = pipes.links().invite(this);
            meeting = begunMeeting;
            SealedPayload invitation =
                    pipes.seals().close(begunMeeting.invitation().encode());
            endWatch = pipes.router()
                    .call(handle.meeting(), new Request(PipeRendezvous.OFFER, handle.side(), invitation), this::onWord);
        } catch (TransportException e) {
            onFailed(String.valueOf(e.getMessage()));
        }
    }

    private void dial(SealedPayload payload) {
        if (stage != Stage.JOINING || isClosing()) {
            return;
        }
        try {
            meeting = pipes.links().dial(LinkInvitation.decode(pipes.seals().open(payload)), this);
            endWatch =
                    pipes.router().call(handle.meeting(), Request.of(PipeRendezvous.JOIN, handle.side()), this::onWord);
        } catch (TransportException | IOException | SealException e) {
            onFailed(String.valueOf(e.getMessage()));
        }
    }

    /** Handles a message of the rendezvous: what this end is to do, or what happened to the other one. */
    private void onWord(Reply reply) {
        if (reply instanceof Reply.Answer answer) {
            onAnswer((int) answer.argument(), answer.payload());
        } else if (reply instanceof Reply.Lost lost && stage != Stage.LINKED && !isClosing()) {
            fail(new FiberException(
                    "FBR-455",
                    "The two ends of " + handle.describe() + " cannot be linked, because the process that made the"
                            + " pipe has ended: "
                            + lost.reason().code() + " " + lost.reason().text()));
        }
    }

    private void onAnswer(int what, SealedPayload body) {
        switch (what) {
            case (int) PipeRendezvous.INVITE -> pipes.router().conductor().later(this::invite);
            case (int) PipeRendezvous.DIAL -> pipes.router().conductor().later(() -> dial(body));
            case (int) PipeRendezvous.CLOSED -> {
                left = body;
                onOtherGone(Other.CLOSED);
            }
            case (int) PipeRendezvous.CLOSED_LINKED -> {
                other = Other.CLOSED_LINKED;
                pipes.flush(this);
            }
            case (int) PipeRendezvous.DIED -> onOtherGone(Other.DIED);
            case (int) PipeRendezvous.TAKEN ->
                fail(new FiberException(
                        "FBR-452",
                        "This end of " + handle.describe() + " is in use by " + pipes.text(body)
                                + ", and cannot be used by process "
                                + pipes.router().path()
                                + " as well. Make a pipe for each pair of processes, or use a queue."));
            case (int) PipeRendezvous.FAILED -> fail(notMet(pipes.text(body)));
            default -> {}
        }
    }

    private void onOtherGone(Other how) {
        other = how;
        if (stage != Stage.LINKED) {
            cancelMeeting();
            move(Stage.OVER);
        } else {
            wakeAll();
        }
    }

    private void fail(FiberException why) {
        failure = why;
        cancelMeeting();
        move(Stage.OVER);
    }

    private void cancelMeeting() {
        LinkHandshake current = meeting;
        if (current != null) {
            current.cancel();
        }
    }

    private void move(Stage to) {
        stage = to;
        wakeAll();
    }

    private void wakeAll() {
        waiters.forEach(Waiter::end);
    }

    @Override
    public void onLinked(DirectLink newLink) {
        link = newLink;
        move(Stage.LINKED);
        pipes.flush(this);
    }

    /** The other end may have closed during the handshake. Then a message from it, and its last data, are on their way. */
    @Override
    public void onFailed(String reason) {
        notLinked = reason;
        wordEndNs = pipes.router().conductor().nowNs() + WORD_LIMIT_NS;
        pipes.flush(this);
    }

    private void giveUp(String reason) {
        SealedPayload text = pipes.seals().close(Payload.ofText(reason));
        pipes.router().tell(handle.meeting(), new Request(PipeRendezvous.FAIL, handle.side(), text));
        fail(notMet(reason));
    }

    /** Closes the end. What was sent still leaves, over the link or through the rendezvous. Thread-safe. */
    void close() {
        if (closing.compareAndSet(false, true)) {
            wakeAll();
            SealedPayload undelivered = sender.backlogForMeeting();
            pipes.router().conductor().execute(() -> wind(undelivered));
        }
    }

    private void wind(SealedPayload undelivered) {
        DirectLink current = link;
        if (current == null) {
            cancelMeeting();
            pipes.router().tell(handle.meeting(), new Request(PipeRendezvous.CLOSE, handle.side(), undelivered));
            finish();
        } else {
            pipes.router().tell(handle.meeting(), Request.of(PipeRendezvous.CLOSE_LINKED, handle.side()));
            pipes.flush(this);
        }
    }

    /**
     * Sends what waits, without blocking. The conductor calls it.
     *
     * @return whether nothing is left to do
     */
    boolean pump() {
        String reason = notLinked;
        if (reason != null && stage == Stage.JOINING && !isClosing()) {
            if (pipes.router().conductor().nowNs() - wordEndNs < 0) {
                return false;
            }
            giveUp(reason);
        }
        DirectLink current = link;
        if (current == null) {
            return true;
        }
        boolean endIsOnLink = other == Other.CLOSED_LINKED;
        // A closed end reads only after its own messages have left, so they must not wait here for ours, which it
        // drops.
        if (!sender.tryPump(current) && !endIsOnLink) {
            return current.isClosed() && finishIfClosing();
        }
        if (!isClosing()) {
            return !endIsOnLink || receiver.keepUntilEnd(current);
        }
        return receiver.dropUntilEnd(current) && finishIfClosing();
    }

    private boolean finishIfClosing() {
        if (isClosing()) {
            finish();
        }
        return true;
    }

    /** Returns whether everything this end had to send has left this process, or the other end is gone. */
    boolean hasSaidAll() {
        DirectLink current = link;
        return current != null
                && (other != Other.OPEN || current.isClosed() || (current.isConfined() && sender.hasEnded()));
    }

    private void finish() {
        Runnable end = endWatch;
        if (end != null) {
            end.run();
        }
        DirectLink current = link;
        if (current != null) {
            current.close();
        }
        move(Stage.OVER);
        pipes.forget(this);
    }
}
