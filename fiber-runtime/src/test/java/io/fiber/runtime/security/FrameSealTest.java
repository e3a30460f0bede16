// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.spec.Secret;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameSealTest {

    private static final int PLAIN = 40;
    private static final int TAG = FrameKey.TAG_BYTES;
    private static final int SEALED = PLAIN + TAG;

    private final ConnectionKeys master = new ConnectionKeys(Secret.of(new byte[32]), Role.MASTER);
    private final ConnectionKeys worker = new ConnectionKeys(Secret.of(new byte[32]), Role.WORKER);
    private final HeaderSeal ofMaster = master.seal(0);
    private final HeaderSeal ofWorker = worker.seal(0);

    @Test
    void framesArriveInOrderAndAreNotReadableOnTheWay() {
        for (int i = 0; i < 100; i++) {
            byte[] sealed = sealed(i);
            assertThat(Arrays.copyOf(sealed, PLAIN)).isNotEqualTo(Arrays.copyOf(plain(i), PLAIN));
            assertThat(open(sealed)).isTrue();
            assertThat(Arrays.copyOf(sealed, PLAIN)).containsOnly((byte) i);
        }
    }

    @Test
    void equalFramesAreSealedDifferently() {
        assertThat(sealed(1)).isNotEqualTo(sealed(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 1_400, 100_000})
    void framesOfAnyLengthFit(int length) {
        byte[] frame = new byte[3 + length + TAG + 5];
        Arrays.fill(frame, (byte) 9);

        assertThat(ofMaster.seal(frame, 3, length)).isTrue();
        assertThat(ofWorker.open(frame, 3, length + TAG)).isTrue();
        assertThat(Arrays.copyOf(frame, 3 + length)).containsOnly(9);
        assertThat(Arrays.copyOfRange(frame, frame.length - 5, frame.length)).containsOnly(9);
    }

    @Test
    void aFlippedBitInAnyByteIsRefusedForGood() {
        for (int i = 0; i < SEALED; i++) {
            HeaderSeal to = worker.seal(100 + i);
            byte[] frame = plain(1);
            master.seal(100 + i).seal(frame, 0, PLAIN);
            byte[] changed = frame.clone();
            changed[i] ^= (byte) (1 << (i % 8));

            assertThat(to.open(changed, 0, SEALED)).isFalse();
            assertThat(to.open(frame, 0, SEALED)).isFalse();
        }
    }

    @Test
    void whatFollowsAChangedFrameIsRefusedThoughItIsGenuine() {
        byte[] changed = sealed(1);
        changed[0] ^= 1;
        assertThat(open(changed)).isFalse();
        assertThat(open(sealed(2))).isFalse();
    }

    @Test
    void aReplayedFrameIsRefused() {
        byte[] frame = sealed(1);
        assertThat(open(frame.clone())).isTrue();
        assertThat(open(frame)).isFalse();
    }

    @Test
    void framesOutOfOrderAreRefused() {
        sealed(1);
        assertThat(open(sealed(2))).isFalse();
    }

    @Test
    void aFrameSentBackToItsSenderIsRefused() {
        assertThat(ofMaster.open(sealed(1), 0, SEALED)).isFalse();
    }

    @Test
    void aFrameOfAnotherStreamIsRefused() {
        byte[] frame = plain(1);
        master.seal(1).seal(frame, 0, PLAIN);
        assertThat(open(frame)).isFalse();
    }

    @Test
    void aFrameOfAnotherConnectionIsRefused() {
        byte[] other = new byte[32];
        other[31] = 1;
        byte[] frame = plain(1);
        new ConnectionKeys(Secret.of(other), Role.MASTER).seal(0).seal(frame, 0, PLAIN);
        assertThat(open(frame)).isFalse();
    }

    @Test
    void aFrameCutAtAnyByteIsRefused() {
        for (int length = 0; length < SEALED; length++) {
            byte[] frame = plain(1);
            master.seal(100 + length).seal(frame, 0, PLAIN);
            assertThat(worker.seal(100 + length).open(frame, 0, length)).isFalse();
        }
    }

    @Test
    void aKeyEndsAfterItsFrames() {
        FrameSeal from = new FrameSeal(keyAfter(FrameKey.FRAME_LIMIT - 1, 0), keyAfter(0, 0));
        FrameSeal to = new FrameSeal(keyAfter(0, 0), keyAfter(FrameKey.FRAME_LIMIT - 1, 0));

        byte[] frame = plain(1);
        assertThat(from.seal(frame, 0, PLAIN)).isTrue();
        assertThat(to.open(frame, 0, SEALED)).isTrue();
        byte[] refused = plain(2);
        assertThat(from.seal(refused, 0, PLAIN)).isFalse();
        assertThat(refused).isEqualTo(plain(2));
        assertThat(to.open(frame, 0, SEALED)).isFalse();
    }

    @Test
    void aKeyEndsAfterItsBlocks() {
        FrameSeal ended = new FrameSeal(keyAfter(0, FrameKey.BLOCK_LIMIT), keyAfter(0, 0));
        assertThat(ended.seal(plain(1), 0, PLAIN)).isFalse();
    }

    @Test
    void aFrameThatDoesNotFitIsAnErrorOfTheCallerAndUsesNoNumber() {
        assertThatThrownBy(() -> ofMaster.seal(new byte[20], 0, 5)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> ofMaster.seal(new byte[40], 20, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> ofMaster.seal(new byte[40], -1, 20)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> ofMaster.seal(new byte[3], 0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(open(sealed(1))).isTrue();
    }

    @Test
    void aSealCarriesBothDirections() {
        assertThat(ofMaster.overheadBytes()).isEqualTo(16);

        byte[] headers = new byte[36];
        headers[3] = 4;
        assertThat(ofMaster.seal(headers, 0, 20)).isTrue();
        byte[] replayed = headers.clone();
        assertThat(ofWorker.open(headers, 0, 36)).isTrue();
        assertThat(headers[3]).isEqualTo((byte) 4);
        assertThat(ofWorker.seal(headers, 0, 20)).isTrue();
        assertThat(ofMaster.open(headers, 0, 36)).isTrue();
        assertThat(ofWorker.open(replayed, 0, 36)).isFalse();
    }

    private static FrameKey keyAfter(long frames, long blocks) {
        FrameKey key = new FrameKey(new byte[FrameKey.LENGTH_BYTES]);
        key.frames = frames;
        key.blocks = blocks;
        return key;
    }

    private static byte[] plain(int value) {
        byte[] frame = new byte[SEALED];
        Arrays.fill(frame, 0, PLAIN, (byte) value);
        return frame;
    }

    private byte[] sealed(int value) {
        byte[] frame = plain(value);
        assertThat(ofMaster.seal(frame, 0, PLAIN)).isTrue();
        return frame;
    }

    private boolean open(byte[] frame) {
        return ofWorker.open(frame, 0, SEALED);
    }
}
