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
 * What goes from one process to an object of another, or comes back.
 *
 * @param from who wrote it, or has ended
 * @param to who is to read it
 * @param call names the call, among those of its caller; 0 for a message without an answer
 * @param object names the object, among those of its host
 * @param request what is asked, or what is answered
 */
record RpcMessage(RpcKind kind, ProcessPath from, ProcessPath to, long call, long object, Request request)
        implements Outgoing {

    /** Returns what tells a process that another one has ended, with all that stood under it; a text says how. */
    static RpcMessage gone(ProcessPath to, ProcessPath who, SealedPayload how) {
        return new RpcMessage(RpcKind.GONE, who, to, 0, 0, Request.of(0, how));
    }

    RpcMessage reply(RpcKind how, long argument, SealedPayload body) {
        return new RpcMessage(how, to, from, call, object, new Request(request.operation(), argument, body));
    }

    /** Returns the message that ends this call, or the one that this should have answered; with bytes for which there was no room, or 0. */
    RpcMessage fault(long refusedBytes) {
        return kind == RpcKind.CALL
                ? reply(RpcKind.FAULT, refusedBytes, SealedPayload.none())
                : new RpcMessage(RpcKind.FAULT, from, to, call, object, Request.of(0, refusedBytes));
    }

    /** Tells whether a call is to be ended, because this process had no room for a body of it. */
    boolean isTooLarge() {
        return payload().bytes().refusedBytes() > 0 && kind != RpcKind.TELL && kind != RpcKind.GONE;
    }

    RpcMessage with(SealedPayload body) {
        return new RpcMessage(kind, from, to, call, object, new Request(request.operation(), request.argument(), body));
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
        RpcMessageEncoder encoder = codecs.rpcMessage
                .wrapAndApplyHeader(buffer, offset, codecs.header)
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
