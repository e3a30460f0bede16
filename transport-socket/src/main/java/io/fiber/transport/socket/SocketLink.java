// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import io.fiber.spi.transport.Address;
import io.fiber.spi.transport.FrameHandler;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.LinkState;
import io.fiber.spi.transport.LinkUse;
import io.fiber.spi.transport.OfferResult;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One end of a connection. Offers write to the socket and polls read from it, so two processes exchange frames without
 * their driving threads. The driving threads notice the end of a connection that no thread reads, write what a socket
 * did not accept at once, and shut connections down. One lock for each direction separates the driving thread from the
 * user of that direction. The driving thread never waits for one.
 */
final class SocketLink implements Link {

    /** Half of what a socket of Linux holds on its way, so that one end writes while the other one reads. */
    static final int MAX_FRAME_BYTES = (128 << 10) - FrameInput.LENGTH_BYTES;

    /** How long both ends of a conversation have for data in transit after one of them has closed. */
    private static final long GRACE_NS = TimeUnit.SECONDS.toNanos(1);

    private final LinkAddress parsed;
    private final Address address;
    private final TransportCounters counters;
    private final Readiness readiness;
    private final @Nullable Dial dial;
    private final ReentrantLock reading = new ReentrantLock();
    private final ReentrantLock writing = new ReentrantLock();
    private final FrameInput input;
    private final FrameOutput output;
    private volatile @Nullable SocketChannel channel;
    private volatile LinkState state = LinkState.CONNECTING;
    private volatile String closeReason = "";
    /** Why nothing more will arrive; null while something may. */
    private volatile @Nullable String inputEnd;
    /** Why nothing more can be sent; null while something can. */
    private volatile @Nullable String outputEnd;

    /** Whether a frame of a conversation was rejected and none has been accepted since; it will be offered again. */
    private volatile boolean wasRefused;
    /** Whether the runtime waits for frames of this link in its selector. */
    private volatile boolean isReadWatched = true;
    /** The socket that is watched and the operations for which it is watched, as far as this link knows. */
    private @Nullable SocketChannel watched;

    private volatile int watchedFor;
    /** Whether the transport must be driven when the socket is ready. */
    private boolean watchedForDrive;

    private volatile boolean wasPolled;
    private boolean isEnding;
    private long graceEndNs;
    private boolean isLeaving;
    private volatile boolean isGoodbyeSaid;

    /** Creates an end that waits for its peer or dials it. */
    SocketLink(TransportCounters counters, Readiness readiness, LinkAddress address, @Nullable Dial dial) {
        this.parsed = address;
        this.address = address.toAddress();
        this.dial = dial;
        this.counters = counters;
        this.readiness = readiness;
        this.input = new FrameInput(MAX_FRAME_BYTES);
        this.output = new FrameOutput();
        counters.countOpened();
    }

    @Override
    public Address address() {
        return address;
    }

    @Override
    public LinkState state() {
        return state;
    }

    @Override
    public String closeReason() {
        return closeReason;
    }

    @Override
    public boolean isConfined() {
        return parsed.isUnix();
    }

    @Override
    public int maxFrameLength() {
        return MAX_FRAME_BYTES;
    }

    @Override
    public OfferResult offer(ByteBuffer frame) {
        int length = frame.remaining();
        if (length < 1 || length > MAX_FRAME_BYTES) {
            throw new IllegalArgumentException("A frame of " + length + " bytes was offered to the link '"
                    + address.text() + "'; expected 1 to " + MAX_FRAME_BYTES + " bytes.");
        }
        writing.lock();
        try {
            SocketChannel open = channel;
            if (state == LinkState.CLOSED) {
                return OfferResult.CLOSED;
            }
            if (open == null || inputEnd != null || outputEnd != null) {
                return OfferResult.NOT_CONNECTED;
            }
            boolean isAccepted = output.offer(open, frame);
            wasRefused = !isAccepted && isConversation();
            watchRoom();
            return isAccepted ? OfferResult.ACCEPTED : OfferResult.BACK_PRESSURED;
        } catch (IOException e) {
            outputEnd = broken(e);
            return OfferResult.NOT_CONNECTED;
        } finally {
            writing.unlock();
        }
    }

    @Override
    public int poll(FrameHandler handler, int frameLimit) {
        if (state != LinkState.CONNECTED) {
            return 0;
        }
        wasPolled = true;
        if (flush()) {
            watchRoom();
        }
        reading.lock();
        try {
            if (state != LinkState.CONNECTED) {
                return 0;
            }
            if (!input.hasNext()) {
                receive();
            }
            int frames = input.poll(handler, frameLimit);
            if (input.isBroken()) {
                counters.countRefusedFrame();
                close("the peer sent a frame of " + input.brokenLength() + " bytes on a link which allows "
                        + MAX_FRAME_BYTES);
            } else if (frames == 0) {
                closeWhenRead();
            }
            return frames;
        } finally {
            reading.unlock();
        }
    }

    /** Reads what has arrived, as far as there is room. */
    private void receive() {
        SocketChannel open = channel;
        if (open == null || inputEnd != null) {
            return;
        }
        try {
            if (input.read(open) < 0) {
                inputEnd = "closed by the peer, or the peer is gone";
            }
        } catch (IOException e) {
            inputEnd = broken(e);
        }
    }

    private boolean isConversation() {
        return parsed.use() == LinkUse.CONVERSATION;
    }

    private static String broken(IOException e) {
        return "the connection to the peer broke: " + e.getMessage();
    }

    private void closeWhenRead() {
        String end = inputEnd;
        if (end != null && !input.hasNext()) {
            close(input.holdsPart() ? end + ", in the middle of a frame" : end);
        }
    }

    /** Writes what a socket did not accept, unless another thread is doing so. Returns true if something was sent. */
    private boolean flush() {
        if (!output.hasRest() || outputEnd != null || !writing.tryLock()) {
            return false;
        }
        try {
            SocketChannel open = channel;
            return open != null && output.flush(open);
        } catch (IOException e) {
            outputEnd = broken(e);
            return true;
        } finally {
            writing.unlock();
        }
    }

    @Override
    public void close() {
        close("closed by this process");
    }

    void close(String reason) {
        synchronized (counters) {
            if (state != LinkState.CLOSED) {
                closeReason = reason;
                state = LinkState.CLOSED;
                counters.countClosed();
            }
        }
        watch();
    }

    /** Sets the connection to the peer. If the link was closed meanwhile, it shuts the connection down in order. */
    void connect(SocketChannel connected) {
        channel = connected;
        synchronized (counters) {
            if (state == LinkState.CONNECTING) {
                state = LinkState.CONNECTED;
            }
        }
        watch();
    }

    /** Returns the token of the expected peer; null if this end has dialled. */
    @Nullable
    Token expectedToken() {
        return dial == null ? parsed.token() : null;
    }

    /** Returns whether accepted bytes wait in this process and can still be sent. */
    boolean hasUnsent() {
        return channel != null && output.hasRest() && outputEnd == null && inputEnd == null;
    }

    /** Returns whether nothing is left to do. */
    boolean isOver() {
        return state == LinkState.CLOSED && channel == null;
    }

    /**
     * Advances the state. The thread that drives the transport calls it. Returns a number greater than 0 if the state
     * changed or something was sent.
     */
    int doWork(long nowNs) {
        int work = switch (state) {
            case CONNECTING -> dial == null ? 0 : dial(dial, nowNs);
            case CONNECTED -> attend(nowNs);
            case CLOSED -> leave(nowNs);
        };
        watch();
        return work;
    }

    @Override
    public void unwatch() {
        if (!isConversation()) {
            isReadWatched = false;
            watch();
        }
    }

    /** Waits for room from now on, or no more. */
    private void watchRoom() {
        boolean isNeeded = wasRefused || output.hasRest();
        // The transport's thread may be about to note what was needed before. To ask once too often does no harm.
        if (isNeeded || (watchedFor & SelectionKey.OP_WRITE) != 0) {
            watch();
        }
    }

    /** Registers with the runtime's selector what this link waits for. */
    void watch() {
        if (readiness.isUsed()) {
            watchAsNeeded();
        }
    }

    /** Synchronized, so that the later of two threads sees what the other one has done to the link. */
    @SuppressWarnings("ReferenceEquality") // whether it is the same socket
    private synchronized void watchAsNeeded() {
        SocketChannel open = socket();
        int operations = operations();
        // No thread of the runtime polls a link that is not watched.
        boolean isDriven = state != LinkState.CONNECTED || !isReadWatched;
        if (open != null && (open != watched || operations != watchedFor || isDriven != watchedForDrive)) {
            watched = open;
            watchedFor = operations;
            watchedForDrive = isDriven;
            readiness.watch(open, operations, isDriven ? null : this);
        }
    }

    private @Nullable SocketChannel socket() {
        SocketChannel open = channel;
        return open == null && dial != null ? dial.pending() : open;
    }

    /** Data that a link for data could not send will be offered again, except for the rest of a frame. */
    private int operations() {
        if (channel == null) {
            return operationsOfDial();
        }
        boolean isClosed = state == LinkState.CLOSED;
        boolean reads = inputEnd == null && (isReadWatched || isClosed);
        boolean writes = outputEnd == null && (output.hasRest() || (isClosed ? !isGoodbyeSaid : wasRefused));
        return (reads ? SelectionKey.OP_READ : 0) | (writes ? SelectionKey.OP_WRITE : 0);
    }

    private int operationsOfDial() {
        SocketChannel pending = dial == null ? null : dial.pending();
        if (pending == null) {
            return 0;
        }
        return pending.isConnected() ? SelectionKey.OP_READ : SelectionKey.OP_CONNECT;
    }

    private int dial(Dial pending, long nowNs) {
        pending.advance(nowNs);
        SocketChannel accepted = pending.accepted();
        String failure = pending.failure();
        if (accepted != null) {
            connect(accepted);
        } else if (failure != null) {
            close(failure);
        }
        return state == LinkState.CONNECTING ? 0 : 1;
    }

    /** Reads unless the user polls the link, or is told to, because then these polls read it. */
    private int attend(long nowNs) {
        int work = flush() ? 1 : 0;
        boolean isTold = isReadWatched && readiness.isUsed();
        if (!wasPolled && !isTold && reading.tryLock()) {
            try {
                receive();
                closeWhenRead();
            } finally {
                reading.unlock();
            }
        }
        wasPolled = false;
        if (state != LinkState.CONNECTED) {
            return 1;
        }
        String end = inputEnd == null ? outputEnd : inputEnd;
        if (end != null && isConversation() && hasHadGrace(nowNs)) {
            close(end + ", before everything was read");
            return 1;
        }
        return work;
    }

    private boolean hasHadGrace(long nowNs) {
        if (!isEnding) {
            isEnding = true;
            graceEndNs = nowNs + GRACE_NS;
        }
        return nowNs - graceEndNs > 0;
    }

    /**
     * Ends the connection of a closed link. Accepted frames are sent first; then the peer is told. Whatever the peer
     * still sends is read and dropped, because closing a connection with unread bytes would lose unsent ones. The peer
     * of a link for data reads whenever it likes; the peer of a conversation has a grace period.
     */
    private int leave(long nowNs) {
        SocketChannel open = channel;
        if (open == null) {
            return 0;
        }
        if (!isLeaving) {
            isLeaving = true;
            isEnding = false;
        }
        flush();
        if (!output.hasRest() && !isGoodbyeSaid) {
            sayGoodbye(open);
        }
        if (reading.tryLock()) {
            try {
                input.drop();
                receive();
            } finally {
                reading.unlock();
            }
        }
        boolean isLate = hasHadGrace(nowNs) && isConversation();
        if (inputEnd == null && outputEnd == null && !isLate) {
            return 0;
        }
        disconnect();
        return 1;
    }

    private void sayGoodbye(SocketChannel open) {
        isGoodbyeSaid = true;
        try {
            open.shutdownOutput();
        } catch (IOException e) {
            outputEnd = broken(e);
        }
    }

    /** Closes the connection, whatever is left to send. */
    void disconnect() {
        if (dial != null) {
            dial.close();
        }
        Sockets.close(channel);
        channel = null;
    }
}
