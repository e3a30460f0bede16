// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.runtime.protocol.codec.BodyEncoder;
import io.fiber.runtime.protocol.codec.HeartbeatEncoder;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.protocol.codec.SegmentEncoder;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.OfferResult;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Packs messages into frames and offers them to a link. Many small messages share a frame, which is sent when it is
 * full or when {@link #flush} is called. A payload that does not fit is cut and continued in later cycles. Short messages
 * that may pass it come in between. The outbox holds one frame and one payload in progress. A rejected caller keeps its message
 * and offers it again in a later cycle, so that back-pressure reaches the source of the messages. Belongs to one
 * thread.
 */
public final class Outbox {

    private static final int BODY_OFFSET = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int SEGMENT_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + SegmentEncoder.BLOCK_LENGTH;
    private static final int HEARTBEAT_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH + HeartbeatEncoder.BLOCK_LENGTH;
    /** A part of a payload with fewer bytes than this is not worth its header and waits for the next frame. */
    private static final int LEAST_PART_BYTES = 256;
    /** How many frames a message may fill in a cycle, so that a large payload does not delay the others. */
    private static final int FRAMES_PER_CYCLE = 64;

    private final Link link;
    private final Encoders codecs;
    private final FrameWriter writer;
    private final ArrayDeque<Outgoing> control = new ArrayDeque<>();
    private @Nullable ByteBuffer waiting;
    private @Nullable PayloadInput rest;
    private long restFlow;
    private boolean isRestSealed;
    private long heartbeats;
    private long lastAcceptedNs;
    private boolean flushed;
    private long framesAccepted;
    private boolean sealed;
    private @Nullable String closeReason;

    public Outbox(Link link, Encoders codecs) {
        this.link = link;
        this.codecs = codecs;
        this.writer = new FrameWriter(link.maxFrameLength());
    }

    /**
     * Seals the headers of all messages that are offered from now on; earlier ones are sent unsealed. From now on,
     * payloads without a seal are not sent.
     */
    public void sealWith(HeaderSeal seal) {
        if (!control.isEmpty() || rest != null) {
            close("The end of the handshake did not fit into the link.");
            return;
        }
        sealed = true;
        if (!writer.isEmpty()) {
            waiting = writer.finish();
        }
        writer.sealWith(seal);
    }

    /**
     * Takes a message, unless the link is full or a payload is in progress.
     *
     * @return false if it was refused and should be offered again
     */
    public boolean offer(Outgoing message) {
        boolean isNext = control.isEmpty() || (mayPassRest(message) && !isBehind(message));
        return closeReason == null && isNext && accept(message);
    }

    /** Takes a message that must not be rejected; it is sent before everything that is offered later. */
    public void post(Outgoing message) {
        if (closeReason == null && (!control.isEmpty() || !accept(message))) {
            control.add(message);
        }
    }

    public boolean isEmpty() {
        return control.isEmpty() && waiting == null && rest == null && writer.isEmpty();
    }

    /**
     * Sends what has been collected.
     *
     * @param heartbeatNs after how long without a frame, counted from the first call on, a heartbeat is sent
     * @return how many frames the link accepted; heartbeats do not count
     */
    public int flush(long nowNs, long heartbeatNs) {
        if (closeReason != null) {
            return 0;
        }
        if (!flushed) {
            // A clock may start anywhere, so none of its values can mean that nothing was ever sent.
            flushed = true;
            lastAcceptedNs = nowNs;
        }
        long before = framesAccepted;
        sendControl();
        if (rest != null) {
            continuePayload();
        }
        boolean beats = rest == null && writer.isEmpty() && waiting == null && nowNs - lastAcceptedNs >= heartbeatNs;
        if (beats) {
            writeHeartbeat();
        }
        sendFrame();
        int sent = (int) (framesAccepted - before);
        if (sent > 0) {
            lastAcceptedNs = nowNs;
        }
        return beats ? 0 : sent;
    }

    private void sendControl() {
        while (!control.isEmpty() && accept(control.peek())) {
            control.poll();
        }
        if (rest != null && control.size() > 1) {
            for (Outgoing message : List.copyOf(control)) {
                if (mayPassRest(message) && !isBehind(message) && accept(message)) {
                    control.remove(message);
                }
            }
        }
    }

    /** Returns whether a message of the same flow waits before this one. */
    private boolean isBehind(Outgoing message) {
        for (Outgoing earlier : control) {
            if (earlier == message) {
                return false;
            }
            if (earlier.flow() == message.flow()) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether the payload in progress need not arrive before this message. */
    private boolean mayPassRest(Outgoing message) {
        return rest != null && message.mayPass() && restFlow != 0 && message.flow() != restFlow;
    }

    /** Returns the time until a heartbeat is due, which is sent after this much time without a frame. */
    public long restNs(long nowNs, long heartbeatNs) {
        return flushed ? lastAcceptedNs + heartbeatNs - nowNs : 0;
    }

    /** Returns why nothing more can be sent; null while sending is possible. */
    public @Nullable String closeReason() {
        return closeReason;
    }

    private void close(String reason) {
        if (closeReason == null) {
            closeReason = reason;
        }
    }

    private boolean accept(Outgoing message) {
        boolean isPassing = mayPassRest(message);
        if (rest != null && !isPassing) {
            return false;
        }
        SealedPayload payload = message.payload();
        if (sealed && payload.length() > 0 && !payload.isSealed()) {
            close("A payload of " + payload.length() + " bytes without a seal was about to be sent over a link that"
                    + " others can reach.");
            return false;
        }
        int headerLength = message.headerLength();
        // What passes a payload must not be cut itself.
        long least = isPassing ? payload.length() : Math.min(payload.length(), LEAST_PART_BYTES);
        if ((least > writer.roomBehind(headerLength) || waiting != null) && !sendFrame()) {
            return false;
        }
        if (least > writer.roomBehind(headerLength)) {
            return false;
        }
        write(message, payload, headerLength);
        if (rest != null && !isPassing) {
            continuePayload();
        }
        return true;
    }

    private void write(Outgoing message, SealedPayload payload, int headerLength) {
        UnsafeBuffer headers = writer.headers();
        int offset = writer.headersLength();
        message.encode(headers, offset, codecs);
        writer.headerWritten(headerLength);
        if (payload.length() > 0) {
            PayloadInput input = payload.bytes().open();
            int room = writer.roomBehind(0);
            boolean isWhole = payload.length() <= room;
            int part = isWhole ? (int) payload.length() : input.untilArray(room);
            encodeBody(headers, offset, payload, part);
            writer.writeBody(input, part);
            if (input.remaining() > 0) {
                rest = input;
                restFlow = message.flow();
                isRestSealed = payload.isSealed();
            }
        } else if (headerLength >= BODY_OFFSET + BodyEncoder.ENCODED_LENGTH) {
            encodeBody(headers, offset, payload, 0);
        }
    }

    private void encodeBody(UnsafeBuffer headers, int offset, SealedPayload payload, int part) {
        if (headers.getShort(offset + MessageHeaderEncoder.templateIdEncodingOffset(), java.nio.ByteOrder.LITTLE_ENDIAN)
                >= Inbox.FIRST_TEMPLATE_WITH_BODY) {
            codecs.body()
                    .wrap(headers, offset + BODY_OFFSET)
                    .payloadLength(payload.length())
                    .inFrame(part)
                    .sealer(payload.sealer())
                    .sealCounter(payload.sealCounter());
        }
    }

    private void continuePayload() {
        for (int frames = 0; rest != null && frames < FRAMES_PER_CYCLE; frames++) {
            if ((writer.roomBehind(SEGMENT_LENGTH) < LEAST_PART_BYTES || waiting != null) && !sendFrame()) {
                return;
            }
            PayloadInput input = rest;
            int offset = writer.headersLength();
            codecs.segment().wrapAndApplyHeader(writer.headers(), offset, codecs.header());
            writer.headerWritten(SEGMENT_LENGTH);
            int arrayLength = isRestSealed ? 0 : input.arrayLength();
            int part = input.untilArray((int) Math.min(input.remaining(), writer.roomBehind(0)));
            codecs.segment()
                    .body()
                    .payloadLength(arrayLength)
                    .inFrame(part)
                    .sealer(0)
                    .sealCounter(0);
            writer.writeBody(input, part);
            if (input.remaining() == 0) {
                rest = null;
            }
        }
    }

    private void writeHeartbeat() {
        codecs.heartbeat()
                .wrapAndApplyHeader(writer.headers(), writer.headersLength(), codecs.header())
                .sequence(++heartbeats);
        writer.headerWritten(HEARTBEAT_LENGTH);
    }

    /** Returns true if no frame waits any more and the writer is empty. */
    private boolean sendFrame() {
        if (waiting == null) {
            if (writer.isEmpty()) {
                return true;
            }
            waiting = writer.finish();
            if (waiting == null) {
                close("The key of this connection is used up.");
                return false;
            }
        }
        OfferResult result = link.offer(waiting);
        if (result == OfferResult.ACCEPTED) {
            waiting = null;
            framesAccepted++;
            if (rest != null && writer.isEmpty()) {
                writer.growFor(rest.remaining());
            }
            return writer.isEmpty();
        }
        if (result == OfferResult.CLOSED) {
            close("The link is closed: " + link.closeReason());
        }
        return false;
    }
}
