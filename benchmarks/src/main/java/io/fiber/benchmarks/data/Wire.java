// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.data;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** One end of a socket with a direct buffer for each direction: an array is copied once on its way to the system. Not thread-safe. */
final class Wire implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 18;

    private final SocketChannel channel;
    private final ByteBuffer out = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(BUFFER_BYTES).flip();

    Wire(SocketChannel channel) {
        this.channel = channel;
    }

    void put(int value) throws IOException {
        if (out.remaining() < Integer.BYTES) {
            flush();
        }
        out.putInt(value);
    }

    void put(Object array) throws IOException {
        if (array instanceof double[] doubles) {
            for (int at = 0; at < doubles.length; ) {
                if (out.remaining() < Double.BYTES) {
                    flush();
                }
                int count = Math.min(doubles.length - at, out.remaining() / Double.BYTES);
                out.asDoubleBuffer().put(doubles, at, count);
                out.position(out.position() + count * Double.BYTES);
                at += count;
            }
        } else {
            byte[] bytes = (byte[]) array;
            for (int at = 0; at < bytes.length; ) {
                if (!out.hasRemaining()) {
                    flush();
                }
                int count = Math.min(bytes.length - at, out.remaining());
                out.put(bytes, at, count);
                at += count;
            }
        }
    }

    void flush() throws IOException {
        out.flip();
        while (out.hasRemaining()) {
            channel.write(out);
        }
        out.clear();
    }

    /** Returns whether more comes. Blocks until it does, or until the other end has closed. */
    boolean hasMore() throws IOException {
        return in.hasRemaining() || receive();
    }

    int get() throws IOException {
        require(Integer.BYTES);
        return in.getInt();
    }

    /** Fills the array. */
    void get(Object array) throws IOException {
        if (array instanceof double[] doubles) {
            for (int at = 0; at < doubles.length; ) {
                require(Double.BYTES);
                int count = Math.min(doubles.length - at, in.remaining() / Double.BYTES);
                in.asDoubleBuffer().get(doubles, at, count);
                in.position(in.position() + count * Double.BYTES);
                at += count;
            }
        } else {
            byte[] bytes = (byte[]) array;
            for (int at = 0; at < bytes.length; ) {
                require(1);
                int count = Math.min(bytes.length - at, in.remaining());
                in.get(bytes, at, count);
                at += count;
            }
        }
    }

    private void require(int bytes) throws IOException {
        while (in.remaining() < bytes) {
            if (!receive()) {
                throw new EOFException("The other end has closed.");
            }
        }
    }

    private boolean receive() throws IOException {
        in.compact();
        int count = channel.read(in);
        in.flip();
        return count >= 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
