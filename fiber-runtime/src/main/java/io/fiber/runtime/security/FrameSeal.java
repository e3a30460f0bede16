// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

import io.fiber.runtime.protocol.HeaderSeal;

/** Both directions of a stream, as the wire wants them. Belongs to one thread. */
record FrameSeal(FrameSealer sealer, FrameOpener opener) implements HeaderSeal {

    @Override
    public int overheadBytes() {
        return FrameSealer.TAG_BYTES;
    }

    @Override
    public boolean seal(byte[] bytes, int offset, int length) {
        return sealer.seal(bytes, offset, 0, length) != FrameSealer.REFUSED;
    }

    @Override
    public boolean open(byte[] bytes, int offset, int length) {
        return opener.open(bytes, offset, 0, length) != FrameOpener.REFUSED;
    }
}
