// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.concurrent.CountDownLatch;

/** Standard input that contains some bytes and then nothing, until it is closed. */
final class HeldInput extends InputStream {

    private final byte[] bytes;
    private final CountDownLatch closed = new CountDownLatch(1);
    private int at;

    HeldInput(byte[] bytes) {
        this.bytes = bytes.clone();
    }

    @Override
    public int read() throws InterruptedIOException {
        synchronized (this) {
            if (at < bytes.length) {
                return bytes[at++] & 0xff;
            }
        }
        try {
            closed.await();
            return -1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("The process was killed while it read standard input.");
        }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws InterruptedIOException {
        if (length == 0) {
            return 0;
        }
        int first = read();
        if (first < 0) {
            return -1;
        }
        buffer[offset] = (byte) first;
        return 1;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
