// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import java.util.zip.CRC32;

/** Counts and sums instead of encrypting: sees every change and every frame out of its order, and is fast. */
public final class TestSeal implements HeaderSeal {

    private long sealed;
    private long opened;

    @Override
    public int overheadBytes() {
        return 16;
    }

    @Override
    public boolean seal(byte[] bytes, int offset, int length) {
        flip(bytes, offset, length);
        put(bytes, offset + length, sum(bytes, offset, length, sealed++));
        put(bytes, offset + length + 8, ~0L);
        return true;
    }

    @Override
    public boolean open(byte[] bytes, int offset, int length) {
        if (length < overheadBytes()) {
            return false;
        }
        int plain = length - overheadBytes();
        byte[] expected = new byte[overheadBytes()];
        put(expected, 0, sum(bytes, offset, plain, opened++));
        put(expected, 8, ~0L);
        if (!java.util.Arrays.equals(expected, 0, 16, bytes, offset + plain, offset + length)) {
            return false;
        }
        flip(bytes, offset, plain);
        return true;
    }

    private static void flip(byte[] bytes, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            bytes[i] ^= 0x5A;
        }
    }

    private static long sum(byte[] bytes, int offset, int length, long counter) {
        CRC32 sum = new CRC32();
        sum.update(bytes, offset, length);
        return sum.getValue() << 20 ^ counter;
    }

    private static void put(byte[] bytes, int offset, long value) {
        java.nio.ByteBuffer.wrap(bytes).putLong(offset, value);
    }
}
