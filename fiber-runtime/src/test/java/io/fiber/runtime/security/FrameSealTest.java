// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.HeaderSeal;
import io.fiber.runtime.security.FrameOpener.Refusal;
import io.fiber.spi.Secret;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FrameSealTest {

    private static final int CLEAR = 8;
    private static final int SECRET = 40;
    private static final int SEALED = CLEAR + SECRET + FrameSealer.TAG_BYTES;

    private final ConnectionKeys master = new ConnectionKeys(Secret.of(new byte[32]), Role.MASTER);
    private final ConnectionKeys worker = new ConnectionKeys(Secret.of(new byte[32]), Role.WORKER);
    private final FrameSealer sealer = master.sealer(0);
    private final FrameOpener opener = worker.opener(0);

    @Test
    void framesArriveInOrderAndAreNotReadableOnTheWay() {
        for (int i = 0; i < 100; i++) {
            byte[] sealed = sealed(i);
            assertThat(Arrays.copyOf(sealed, CLEAR)).containsOnly((byte) i);
            assertThat(Arrays.copyOfRange(sealed, CLEAR, CLEAR + SECRET))
                    .isNotEqualTo(Arrays.copyOfRange(plain(i), CLEAR, CLEAR + SECRET));
            assertThat(open(sealed)).isEqualTo(SECRET);
            assertThat(Arrays.copyOf(sealed, CLEAR + SECRET)).containsOnly((byte) i);
        }
        assertThat(opener.refusal()).isEqualTo(Refusal.NONE);
    }

    @Test
    void equalFramesAreSealedDifferently() {
        assertThat(sealed(1)).isNotEqualTo(sealed(1));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 17, 1_400, 100_000})
    void framesOfAnyLengthFit(int length) {
        byte[] frame = new byte[3 + length + FrameSealer.TAG_BYTES + 5];
        Arrays.fill(frame, (byte) 9);
        int sealedBytes = sealer.seal(frame, 3, 0, length);

        assertThat(sealedBytes).isEqualTo(length + FrameSealer.TAG_BYTES);
        assertThat(opener.open(frame, 3, 0, sealedBytes)).isEqualTo(length);
        assertThat(Arrays.copyOf(frame, 3 + length)).containsOnly(9);
        assertThat(Arrays.copyOfRange(frame, frame.length - 5, frame.length)).containsOnly(9);
    }

    @Test
    void aFlippedBitInAnyByteIsRefusedForGood() {
        for (int i = 0; i < SEALED; i++) {
            FrameSealer from = master.sealer(100 + i);
            FrameOpener to = worker.opener(100 + i);
            byte[] frame = plain(1);
            from.seal(frame, 0, CLEAR, SECRET);
            byte[] changed = frame.clone();
            changed[i] ^= (byte) (1 << (i % 8));

            assertThat(to.open(changed, 0, CLEAR, SEALED)).isEqualTo(FrameOpener.REFUSED);
            assertThat(to.refusal()).isEqualTo(Refusal.NOT_GENUINE);
            assertThat(to.open(frame, 0, CLEAR, SEALED)).isEqualTo(FrameOpener.REFUSED);
        }
    }

    @Test
    void aReplayedFrameIsRefused() {
        byte[] frame = sealed(1);
        assertThat(open(frame.clone())).isEqualTo(SECRET);
        assertRefused(frame);
    }

    @Test
    void framesOutOfOrderAreRefused() {
        sealed(1);
        assertRefused(sealed(2));
    }

    @Test
    void aFrameSentBackToItsSenderIsRefused() {
        byte[] frame = sealed(1);
        assertThat(master.opener(0).open(frame, 0, CLEAR, SEALED)).isEqualTo(FrameOpener.REFUSED);
    }

    @Test
    void aFrameOfAnotherStreamIsRefused() {
        byte[] frame = plain(1);
        master.sealer(1).seal(frame, 0, CLEAR, SECRET);
        assertRefused(frame);
    }

    @Test
    void aFrameOfAnotherConnectionIsRefused() {
        byte[] other = new byte[32];
        other[31] = 1;
        byte[] frame = plain(1);
        new ConnectionKeys(Secret.of(other), Role.MASTER).sealer(0).seal(frame, 0, CLEAR, SECRET);
        assertRefused(frame);
    }

    @Test
    void anotherBorderOfTheReadablePartIsRefused() {
        byte[] frame = sealed(1);
        assertThat(opener.open(frame, 0, CLEAR + 1, SEALED)).isEqualTo(FrameOpener.REFUSED);
        assertThat(opener.refusal()).isEqualTo(Refusal.NOT_GENUINE);
    }

    @Test
    void aFrameCutAtAnyByteIsRefused() {
        for (int length = 0; length < SEALED; length++) {
            FrameOpener to = worker.opener(100 + length);
            byte[] frame = plain(1);
            master.sealer(100 + length).seal(frame, 0, CLEAR, SECRET);
            assertThat(to.open(frame, 0, CLEAR, length)).isEqualTo(FrameOpener.REFUSED);
            assertThat(to.refusal())
                    .isEqualTo(length < CLEAR + FrameSealer.TAG_BYTES ? Refusal.TOO_SHORT : Refusal.NOT_GENUINE);
        }
    }

    @Test
    void aKeyEndsAfterItsFrames() {
        FrameKey key = key();
        FrameKey same = key();
        key.skipTo(FrameKey.FRAME_LIMIT - 1, 0);
        same.skipTo(FrameKey.FRAME_LIMIT - 1, 0);
        FrameSealer last = new FrameSealer(key);
        FrameOpener lastOpener = new FrameOpener(same);

        byte[] frame = plain(1);
        assertThat(lastOpener.open(frame, 0, CLEAR, last.seal(frame, 0, CLEAR, SECRET)))
                .isEqualTo(SECRET);
        byte[] refused = plain(2);
        assertThat(last.seal(refused, 0, CLEAR, SECRET)).isEqualTo(FrameSealer.REFUSED);
        assertThat(refused).isEqualTo(plain(2));
        assertThat(lastOpener.open(frame, 0, CLEAR, SEALED)).isEqualTo(FrameOpener.REFUSED);
        assertThat(lastOpener.refusal()).isEqualTo(Refusal.KEY_EXHAUSTED);
    }

    @Test
    void aKeyEndsAfterItsBlocks() {
        FrameKey key = key();
        key.skipTo(0, FrameKey.BLOCK_LIMIT);
        assertThat(new FrameSealer(key).seal(plain(1), 0, CLEAR, SECRET)).isEqualTo(FrameSealer.REFUSED);
    }

    @Test
    void aFrameThatDoesNotFitIsAnErrorOfTheCallerAndUsesNoNumber() {
        assertThatThrownBy(() -> sealer.seal(new byte[20], 0, 0, 5)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> sealer.seal(new byte[40], 0, 20, -1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> sealer.seal(new byte[40], 0, -1, 20)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(open(sealed(1))).isEqualTo(SECRET);
    }

    @Test
    void theSealOfTheWireCarriesBothDirections() {
        HeaderSeal one = master.headerSeal(5);
        HeaderSeal two = worker.headerSeal(5);
        assertThat(one.overheadBytes()).isEqualTo(16);

        byte[] headers = new byte[36];
        headers[3] = 4;
        assertThat(one.seal(headers, 0, 20)).isTrue();
        byte[] replayed = headers.clone();
        assertThat(two.open(headers, 0, 36)).isTrue();
        assertThat(headers[3]).isEqualTo((byte) 4);
        assertThat(two.seal(headers, 0, 20)).isTrue();
        assertThat(one.open(headers, 0, 36)).isTrue();
        assertThat(two.open(replayed, 0, 36)).isFalse();
    }

    private static FrameKey key() {
        return new FrameKey(new byte[FrameKey.LENGTH_BYTES]);
    }

    private static byte[] plain(int value) {
        byte[] frame = new byte[SEALED];
        Arrays.fill(frame, 0, CLEAR + SECRET, (byte) value);
        return frame;
    }

    private byte[] sealed(int value) {
        byte[] frame = plain(value);
        assertThat(sealer.seal(frame, 0, CLEAR, SECRET)).isEqualTo(SEALED);
        return frame;
    }

    private int open(byte[] frame) {
        return opener.open(frame, 0, CLEAR, SEALED);
    }

    private void assertRefused(byte[] frame) {
        assertThat(open(frame)).isEqualTo(FrameOpener.REFUSED);
        assertThat(opener.refusal()).isEqualTo(Refusal.NOT_GENUINE);
    }
}
