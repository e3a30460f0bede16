// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.Outgoing;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import io.fiber.runtime.protocol.codec.PathDecoder;
import io.fiber.runtime.protocol.codec.PathEncoder;
import io.fiber.runtime.protocol.codec.RpcKind;
import io.fiber.runtime.protocol.codec.RpcMessageDecoder;
import io.fiber.runtime.protocol.codec.RpcMessageEncoder;
import org.agrona.MutableDirectBuffer;

/**
 * A message from one process to an object of another one, or its answer.
 *
 * @param from the process that wrote it, or has ended
 * @param to the process that is to read it
 * @param call number of the call in its caller; 0 for a message without an answer
 * @param object number of the object in its host
 * @param request the request or the answer
 */
record RpcMessage(RpcKind kind, ProcessPath from, ProcessPath to, long call, long object, Request request)
        implements Outgoing {

    /** Returns the message that another process and all processes below it have ended; a text says how. */
    static RpcMessage gone(ProcessPath to, ProcessPath who, SealedPayload how) {
        return new RpcMessage(RpcKind.GONE, who, to, 0, 0, Request.of(0, how));
    }

    RpcMessage reply(RpcKind how, long argument, SealedPayload body) {
        return new RpcMessage(how, to, from, call, object, new Request(request.operation(), argument, body));
    }

    /**
     * Returns the message that ends this call, or the call that this one should have answered; with the number of bytes
     * for which there was no room, or 0.
     */
    RpcMessage fault(long refusedBytes) {
        return kind == RpcKind.CALL
                ? reply(RpcKind.FAULT, refusedBytes, SealedPayload.none())
                : new RpcMessage(RpcKind.FAULT, from, to, call, object, Request.of(0, refusedBytes));
    }

    /** Returns whether a call must be ended, because this process had no room for its body. */
    boolean isTooLarge() {
        return payload().bytes().refusedBytes() > 0 && kind != RpcKind.TELL && kind != RpcKind.GONE;
    }

    RpcMessage with(SealedPayload body) {
        return new RpcMessage(kind, from, to, call, object, new Request(request.operation(), request.argument(), body));
    }

    /** The order of messages between two processes is kept. */
    @Override
    public long flow() {
        return isCallOrReply() ? Long.MIN_VALUE | ((long) from.hashCode() << 32 ^ to.hashCode()) : 0;
    }

    /** A receipt does not pass the result of its task, nor the end of a process what it sent. */
    @Override
    public boolean mayPass() {
        return isCallOrReply();
    }

    private boolean isCallOrReply() {
        return kind != RpcKind.TELL && kind != RpcKind.GONE;
    }

    @Override
    public SealedPayload payload() {
        return request.body();
    }

    @Override
    public int headerLength() {
        return MessageHeaderEncoder.ENCODED_LENGTH + RpcMessageEncoder.BLOCK_LENGTH;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset, Encoders codecs) {
        RpcMessageEncoder encoder = codecs.rpcMessage()
                .wrapAndApplyHeader(buffer, offset, codecs.header())
                .call(call)
                .objectNumber(object)
                .argument(request.argument())
                .operation(request.operation())
                .kind(kind);
        write(from, encoder.from());
        write(to, encoder.to());
    }

    private static void write(ProcessPath path, PathEncoder encoder) {
        encoder.depth((short) path.depth());
        for (int i = 0; i < ProcessPath.DEPTH_LIMIT; i++) {
            encoder.numbers(i, i < path.depth() ? path.number(i) : 0);
        }
    }

    static RpcMessage read(Message message) {
        RpcMessageDecoder decoder = message.as(new RpcMessageDecoder());
        return new RpcMessage(
                decoder.kind(),
                read(decoder.from()),
                read(decoder.to()),
                decoder.call(),
                decoder.objectNumber(),
                new Request(decoder.operation(), decoder.argument(), message.payload()));
    }

    private static ProcessPath read(PathDecoder decoder) {
        int depth = decoder.depth();
        if (depth > ProcessPath.DEPTH_LIMIT) {
            throw new IllegalArgumentException("A path of " + depth + " numbers.");
        }
        int[] numbers = new int[depth];
        for (int i = 0; i < depth; i++) {
            numbers[i] = decoder.numbers(i);
        }
        return ProcessPath.of(numbers);
    }
}
