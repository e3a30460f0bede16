// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.Message;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.GoneDecoder;
import io.fiber.runtime.protocol.codec.GoneEncoder;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.agrona.MutableDirectBuffer;

/**
 * Tells a process that another one has ended, with all that stood under it.
 *
 * @param to who is to know
 * @param who who has ended
 * @param how how it ended, for a person
 */
record GoneNotice(ProcessPath to, ProcessPath who, String how) implements Envelope {

    @Override
    public Envelope with(SealedPayload body) {
        return this;
    }

    @Override
    public int headerLength() {
        return MessageHeaderEncoder.ENCODED_LENGTH + GoneEncoder.BLOCK_LENGTH;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset, Encoders codecs) {
        byte[] text = how.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, GoneEncoder.howLength());
        GoneEncoder encoder = new GoneEncoder()
                .wrapAndApplyHeader(buffer, offset, codecs.header)
                .textBytes(length);
        encoder.putHow(Arrays.copyOf(text, GoneEncoder.howLength()), 0, GoneEncoder.howLength());
        RpcMessage.write(to, encoder.to());
        RpcMessage.write(who, encoder.who());
    }

    static GoneNotice read(Message message) {
        GoneDecoder decoder = message.as(new GoneDecoder());
        byte[] text = new byte[GoneDecoder.howLength()];
        decoder.getHow(text, 0, text.length);
        int length = Math.min(decoder.textBytes(), text.length);
        return new GoneNotice(
                RpcMessage.read(decoder.to()),
                RpcMessage.read(decoder.who()),
                new String(text, 0, length, StandardCharsets.UTF_8));
    }
}
