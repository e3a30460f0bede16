// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.security.HandshakeFailure;
import io.fiber.runtime.security.HandshakeMessage;
import io.fiber.runtime.security.HandshakeStep;
import io.fiber.runtime.security.MasterHandshake;
import io.fiber.runtime.security.PayloadKey;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;

/**
 * One connection of an {@link AuthListener}. Belongs to the listener's thread.
 *
 * <pre>
 * STRANGER ─proof─► PROVEN ─answer─► ANSWERED ─either side ends─► CLOSED
 * </pre>
 */
final class AuthConnection {

    /** Where it stands. */
    enum State {
        STRANGER,
        PROVEN,
        ANSWERED,
        CLOSED
    }

    private final AuthListener listener;
    private final SocketChannel channel;
    private final MasterHandshake handshake;
    private final long endNs;
    private final String from;
    private final ByteBuffer in =
            ByteBuffer.allocate(AuthMessages.PREFIX_BYTES + AuthMessages.GREATEST_OF_STRANGER_BYTES);
    private volatile State state = State.STRANGER;

    /**
     * Takes a connection.
     *
     * @param endNs until when it must have proven itself
     */
    AuthConnection(AuthListener listener, SocketChannel channel, MasterHandshake handshake, long endNs)
            throws IOException {
        this.listener = listener;
        this.channel = channel;
        this.handshake = handshake;
        this.endNs = endNs;
        SocketAddress address = channel.getRemoteAddress();
        this.from = String.valueOf(address);
    }

    AuthListener listener() {
        return listener;
    }

    long endNs() {
        return endNs;
    }

    /** Returns where it came from, for a person. Any thread may call it. */
    String from() {
        return from;
    }

    /** Tells whether it is over. Any thread may call it. */
    boolean isClosed() {
        return state == State.CLOSED;
    }

    void onReadable() {
        try {
            if (channel.read(in) < 0) {
                close();
                return;
            }
            while (state != State.CLOSED && in.position() >= AuthMessages.PREFIX_BYTES) {
                int length = in.getShort(0) & 0xFFFF;
                int end = AuthMessages.PREFIX_BYTES + length;
                if (state != State.STRANGER || end > in.capacity()) {
                    close();
                } else if (in.position() < end) {
                    return;
                } else {
                    int position = in.position();
                    onMessage(AuthMessages.decode(
                            in.position(AuthMessages.PREFIX_BYTES).limit(end)));
                    in.limit(position).position(end).compact();
                }
            }
        } catch (IOException e) {
            close();
        }
    }

    private void onMessage(HandshakeMessage message) throws IOException {
        if (message instanceof HandshakeMessage.Hello hello) {
            HandshakeStep<HandshakeMessage.Challenge> step = handshake.onHello(hello);
            if (step instanceof HandshakeStep.Next<HandshakeMessage.Challenge> next) {
                send(next.value());
                return;
            }
            if (step instanceof HandshakeStep.Failed<HandshakeMessage.Challenge> failed
                    && failed.failure().reason() == HandshakeFailure.Reason.VERSION) {
                send(new HandshakeMessage.VersionRefusal(Protocol.VERSION));
            }
        } else if (message instanceof HandshakeMessage.Proof proof
                && handshake.onProof(proof) instanceof HandshakeStep.Next<Long>) {
            state = State.PROVEN;
            listener.onProven(this);
            return;
        }
        close();
    }

    /** Answers a program that has shown the key; it stays connected when it was granted access. */
    void answer(AccessGrant grant) {
        if (state != State.PROVEN) {
            return;
        }
        state = State.ANSWERED;
        try {
            send(handshake
                    .admit(PayloadKey.random(new SecureRandom()), grant.encode())
                    .welcome());
        } catch (IOException e) {
            close();
        }
        if (grant instanceof AccessGrant.Denied) {
            close();
        }
    }

    /** What is sent is shorter than any socket's buffer. */
    private void send(HandshakeMessage message) throws IOException {
        ByteBuffer out = AuthMessages.encode(message);
        channel.write(out);
        if (out.hasRemaining()) {
            throw new IOException("The other side takes nothing.");
        }
    }

    void close() {
        State before = state;
        if (before == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        try {
            channel.close();
        } catch (IOException e) {
            // It is over for this side, which is all that is wanted.
        }
        listener.onClosed(this, before);
    }
}
