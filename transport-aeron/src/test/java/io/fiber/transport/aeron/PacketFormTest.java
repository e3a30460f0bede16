// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.HeaderFlyweight;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class PacketFormTest {

    private static final LinkShape SHAPE = LinkShape.bounded(TermLength.SMALLEST, 1408);
    private final UnsafeBuffer packet = new UnsafeBuffer(new byte[4096]);

    @Test
    void heartbeatsFramesAndPaddingOfAnHonestPeerAreAdmitted() {
        assertThat(admits(32, 0)).isTrue();
        assertThat(admits(32, TermLength.SMALLEST)).isTrue();
        frame(0, HeaderFlyweight.HDR_TYPE_DATA, 33);
        frame(64, HeaderFlyweight.HDR_TYPE_DATA, 100);
        assertThat(admits(192, 0)).isTrue();
        frame(192, HeaderFlyweight.HDR_TYPE_PAD, 4096);
        assertThat(admits(224, 0)).isTrue();
    }

    @Test
    void framesThatDoNotFitIntoThePacketOrTheTermAreRefused() {
        frame(0, HeaderFlyweight.HDR_TYPE_DATA, 1 << 30);
        assertThat(admits(64, 0)).isFalse();
        frame(0, HeaderFlyweight.HDR_TYPE_DATA, -1);
        assertThat(admits(64, 0)).isFalse();
        frame(0, HeaderFlyweight.HDR_TYPE_DATA, 31);
        assertThat(admits(64, 0)).isFalse();
        frame(0, HeaderFlyweight.HDR_TYPE_DATA, 128);
        assertThat(admits(64, 0)).isFalse();
        frame(0, HeaderFlyweight.HDR_TYPE_DATA, 64);
        frame(64, HeaderFlyweight.HDR_TYPE_DATA, 1 << 20);
        assertThat(admits(128, 0)).isFalse();
        frame(0, HeaderFlyweight.HDR_TYPE_PAD, TermLength.SMALLEST);
        assertThat(admits(32, 32)).isFalse();
        frame(0, HeaderFlyweight.HDR_TYPE_DATA, 64);
        assertThat(admits(64, TermLength.SMALLEST - 32)).isFalse();
        assertThat(admits(64, -32)).isFalse();
        assertThat(admits(64, 8)).isFalse();
        assertThat(admits(1440, 0)).isFalse();
        assertThat(admits(63, 0)).isFalse();
    }

    private boolean admits(int length, int termOffset) {
        return GuardedReceiveEndpoint.isWellFormed(packet, length, termOffset, SHAPE);
    }

    private void frame(int offset, int type, int length) {
        FrameDescriptor.frameType(packet, offset, type);
        packet.putInt(offset, length, java.nio.ByteOrder.LITTLE_ENDIAN);
    }
}
