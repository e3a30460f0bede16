// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.spec.InvalidKeySpecException;

/** The part of DER that is needed to convert keys of other formats to PKCS #8, the only one that the JDK reads. */
final class Der {

    private static final int LONG_FORM = 0x80;
    private static final int CURVE_TAG = 0xa0;

    private Der() {}

    /** Returns a value with these parts. */
    static byte[] of(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.write(tag);
        int length = content.size();
        if (length < LONG_FORM) {
            all.write(length);
        } else {
            all.write(LONG_FORM + 2);
            all.write(length >> 8);
            all.write(length);
        }
        all.writeBytes(content.toByteArray());
        return all.toByteArray();
    }

    /**
     * Returns the curve of an elliptic-curve key, encoded as in the key.
     *
     * @throws InvalidKeySpecException if it is missing
     */
    static byte[] curveOf(byte[] key) throws InvalidKeySpecException {
        try {
            ByteBuffer in = ByteBuffer.wrap(key);
            in.get();
            length(in);
            while (in.hasRemaining()) {
                int tag = in.get() & 0xff;
                byte[] value = new byte[length(in)];
                in.get(value);
                if (tag == CURVE_TAG) {
                    return value;
                }
            }
        } catch (BufferUnderflowException e) {
            throw new InvalidKeySpecException("the private key in key.pem breaks off", e);
        }
        throw new InvalidKeySpecException("the private key in key.pem does not name its curve");
    }

    private static int length(ByteBuffer in) {
        int length = in.get() & 0xff;
        if (length < LONG_FORM) {
            return length;
        }
        int value = 0;
        for (int left = length - LONG_FORM; left > 0; left--) {
            value = (value << 8) | (in.get() & 0xff);
        }
        if (value < 0 || value > in.remaining()) {
            throw new BufferUnderflowException();
        }
        return value;
    }
}
