// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PayloadTest {

    @Test
    void bytesComeBackWholeFromSegmentsThatGrow() throws IOException {
        byte[] bytes = randomBytes(5_000_000);
        PayloadOutput out = new PayloadOutput();
        out.write(bytes, 0, bytes.length);
        Payload payload = out.toPayload();

        assertThat(payload.length()).isEqualTo(bytes.length);
        assertThat(payload.segments().size()).isBetween(20, 40);
        assertThat(payload.segments()).allMatch(segment -> segment.length <= Payload.GREATEST_SEGMENT_BYTES);
        assertThat(payload.open().readExactly(bytes.length)).isEqualTo(bytes);
        assertThat(payload.toArray()).isEqualTo(bytes);
        assertThat(payload)
                .hasToString("Payload[5000000 bytes in " + payload.segments().size() + " segments]");
    }

    @Test
    void numbersAndTextsComeBackAtEveryAlignmentOfASegmentEnd() throws IOException {
        for (int lead = 240; lead <= 260; lead++) {
            PayloadOutput out = new PayloadOutput();
            out.write(new byte[lead], 0, lead);
            out.writeInt(0x8040_2010);
            out.writeLong(0x8040_2010_0804_0201L);
            out.writeVarLong(-1);
            out.writeVarLong(127);
            out.writeVarLong(128);
            out.writeVarLong(Long.MIN_VALUE);
            out.writeText("grüße \uD83D\uDE80");
            PayloadInput in = out.toPayload().open();

            assertThat(in.skip(lead)).isEqualTo(lead);
            assertThat(in.readInt()).isEqualTo(0x8040_2010);
            assertThat(in.readLong()).isEqualTo(0x8040_2010_0804_0201L);
            assertThat(in.readVarLong()).isEqualTo(-1);
            assertThat(in.readVarLong()).isEqualTo(127);
            assertThat(in.readVarLong()).isEqualTo(128);
            assertThat(in.readVarLong()).isEqualTo(Long.MIN_VALUE);
            assertThat(in.readText()).isEqualTo("grüße \uD83D\uDE80");
            assertThat(in.remaining()).isZero();
            assertThat(in.read()).isEqualTo(-1);
            assertThat(in.read(new byte[1], 0, 1)).isEqualTo(-1);
        }
    }

    @Test
    void anOutputStartsAnewAfterItsPayloadWasTaken() {
        PayloadOutput out = new PayloadOutput();
        out.writeInt(1);
        Payload first = out.toPayload();
        out.writeLong(2);
        Payload second = out.toPayload();

        assertThat(first.toArray()).containsExactly(0, 0, 0, 1);
        assertThat(second.toArray()).containsExactly(0, 0, 0, 0, 0, 0, 0, 2);
        assertThat(out.toPayload()).isSameAs(Payload.empty());
    }

    @Test
    void moreThanTheLimitIsRefusedAndLeavesWhatWasThere() {
        PayloadOutput out = new PayloadOutput(1000);
        out.write(new byte[999], 0, 999);

        assertThatExceptionOfType(PayloadLimitException.class)
                .isThrownBy(() -> out.write(new byte[2], 0, 2))
                .withMessage("More than 1000 bytes.")
                .matches(e -> e.limitBytes() == 1000);
        assertThat(out.length()).isEqualTo(999);
        out.write(7);
        assertThatExceptionOfType(PayloadLimitException.class).isThrownBy(() -> out.write(8));
        assertThatExceptionOfType(PayloadLimitException.class).isThrownBy(() -> out.require(1));
        assertThat(out.length()).isEqualTo(1000);
        assertThat(out.toPayload().length()).isEqualTo(1000);
    }

    @Test
    void aLimitSmallerThanASegmentHoldsToo() {
        PayloadOutput out = new PayloadOutput(3);
        out.write(1);
        out.write(2);
        out.write(3);

        assertThatExceptionOfType(PayloadLimitException.class).isThrownBy(() -> out.write(4));
        assertThatExceptionOfType(PayloadLimitException.class).isThrownBy(() -> new PayloadOutput(0).write(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PayloadOutput(-1))
                .withMessage("limitBytes is -1, expected 0 or more.");
        assertThat(out.toPayload().toArray()).containsExactly(1, 2, 3);
    }

    @Test
    void bytesCanBeTakenBackAcrossSegments() throws IOException {
        byte[] bytes = randomBytes(3_000_000);
        for (int keep : new int[] {0, 1, 255, 256, 257, 768, 100_000, 2_999_999, 3_000_000}) {
            PayloadOutput out = new PayloadOutput();
            out.write(bytes, 0, bytes.length);
            out.truncate(keep);
            assertThat(out.length()).isEqualTo(keep);
            out.writeInt(42);

            PayloadInput in = out.toPayload().open();
            assertThat(in.readExactly(keep)).isEqualTo(java.util.Arrays.copyOf(bytes, keep));
            assertThat(in.readInt()).isEqualTo(42);
            assertThat(in.remaining()).isZero();
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PayloadOutput().truncate(1))
                .withMessage("Cannot go back to byte 1 of 0.");
    }

    @Test
    void anIntCanBeOverwrittenAlsoAcrossTheEndOfASegment() throws IOException {
        for (int at = 250; at <= 258; at++) {
            PayloadOutput out = new PayloadOutput();
            out.write(new byte[5000], 0, 5000);
            out.setInt(at, 0x0102_0304);

            byte[] bytes = out.toPayload().toArray();
            assertThat(bytes).startsWith(new byte[at]);
            assertThat(java.util.Arrays.copyOfRange(bytes, at, at + 5)).containsExactly(1, 2, 3, 4, 0);
        }
        PayloadOutput few = new PayloadOutput();
        few.write(1);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> few.setInt(0, 1))
                .withMessage("Four bytes at 0 of 1.");
    }

    @Test
    void aSliceEndsWhereItWasCutAndTheRestGoesOnBehindIt() throws IOException {
        byte[] bytes = randomBytes(10_000);
        for (int from : new int[] {0, 1, 255, 256, 300}) {
            for (int count : new int[] {0, 1, 256, 511, 4000}) {
                PayloadOutput out = new PayloadOutput();
                out.write(bytes, 0, bytes.length);
                PayloadInput in = out.toPayload().open();
                in.skip(from);
                PayloadInput slice = in.slice(count);

                assertThat(in.position()).isEqualTo(from + count);
                assertThat(slice.position()).isZero();
                assertThat(slice.available()).isEqualTo(count);
                assertThat(slice.readAllBytes()).isEqualTo(java.util.Arrays.copyOfRange(bytes, from, from + count));
                assertThat(slice.read()).isEqualTo(-1);
                assertThat(in.readByte()).isEqualTo(bytes[from + count] & 0xFF);
            }
        }
    }

    @Test
    void emptySegmentsAreNoEnd() throws IOException {
        Payload payload = Payload.of(List.of(new byte[0], new byte[] {1}, new byte[0], new byte[] {2}));

        assertThat(payload.open().readAllBytes()).containsExactly(1, 2);
    }

    @Test
    void announcedLengthsAreCheckedBeforeAnythingIsAllocated() {
        PayloadOutput out = new PayloadOutput();
        out.writeVarLong(1L << 40);
        Payload great = out.toPayload();
        out.writeVarLong(-5);
        Payload negative = out.toPayload();

        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> great.open().readText())
                .withMessage("1099511627776 bytes were announced at byte 6, 0 are left.");
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> negative.open().readText());
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> great.open().readExactly(7))
                .withMessage("7 bytes were announced at byte 0, 6 are left.");
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> great.open().slice(-1));
        assertThatExceptionOfType(EOFException.class)
                .isThrownBy(() -> Payload.empty().open().readByte())
                .withMessage("The payload of 0 bytes has ended.");
    }

    @Test
    void aNumberOfMoreThan64BitsIsRefused() {
        byte[] bytes = {-1, -1, -1, -1, -1, -1, -1, -1, -1, 2};

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> Payload.of(bytes).open().readVarLong())
                .withMessage("A number of more than 64 bits at byte 10.");
    }

    private static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        new Random(42).nextBytes(bytes);
        return bytes;
    }

    private static byte[] large() {
        byte[] array = new byte[1_000_000];
        new Random(3).nextBytes(array);
        return array;
    }

    @Test
    void largeArrayIsSnapshotUnlessItsOwnerLetsItBeSentFromWhereItIs() throws IOException {
        byte[] array = large();
        byte[] before = array.clone();
        PayloadOutput copying = new PayloadOutput();
        copying.writeInt(1);
        copying.writeArray(array);
        PayloadOutput referring = new PayloadOutput();
        referring.referToArrays();
        referring.writeInt(2);
        referring.writeArray(array);
        referring.writeInt(3);
        array[999_999]++;
        PayloadInput copy = copying.toPayload().open();
        assertThat(copy.readInt()).isEqualTo(1);
        assertThat(copy.readArray(array.length)).isEqualTo(before);
        PayloadInput referred = referring.toPayload().open();
        assertThat(referred.readInt()).isEqualTo(2);
        assertThat(referred.readArray(array.length)).isEqualTo(array).isNotSameAs(array);
        assertThat(referred.readInt()).isEqualTo(3);
    }

    @Test
    void whatIsTakenBackLeavesTheArrayOfTheProgramAsItWas() throws IOException {
        byte[] array = large();
        byte[] before = array.clone();
        for (int end : new int[] {4, 5, 500_000, 1_000_003}) {
            PayloadOutput out = new PayloadOutput();
            out.referToArrays();
            out.writeInt(1);
            out.writeArray(array);
            out.writeInt(2);
            out.truncate(end);
            byte[] other = new byte[2_000_000];
            out.write(other, 0, other.length);
            assertThat(array).isEqualTo(before);
            PayloadInput in = out.toPayload().open();
            assertThat(in.readInt()).isEqualTo(1);
            assertThat(in.readExactly(end - 4)).isEqualTo(Arrays.copyOf(before, end - 4));
            assertThat(in.readExactly(other.length)).isEqualTo(other);
        }
    }
}
