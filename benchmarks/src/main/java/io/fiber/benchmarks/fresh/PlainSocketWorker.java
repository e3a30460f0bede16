// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks.fresh;

import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A worker of {@link PlainSocketPool}; it ends with its connection. */
public final class PlainSocketWorker {
    private final SocketChannel channel;
    private final ByteBuffer answers = ByteBuffer.allocateDirect(PlainSocketPool.BUFFER_BYTES);

    private PlainSocketWorker(SocketChannel channel) {
        this.channel = channel;
    }

    /** Takes the path of the socket. */
    public static void main(String[] args) throws IOException {
        try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(args[0]))) {
            new PlainSocketWorker(channel).serve();
        }
    }

    private void serve() throws IOException {
        ByteBuffer length = read(Integer.BYTES);
        PlainPool.Task task = PlainPool.task(read(length.getInt()).array());
        ByteBuffer requests = ByteBuffer.allocateDirect(1 << 16);
        while (channel.read(requests) >= 0) {
            requests.flip();
            while (requests.remaining() >= PlainSocketPool.HEAD_BYTES) {
                int first = requests.getInt();
                int count = requests.getInt();
                if (answers.remaining() < PlainSocketPool.HEAD_BYTES + count * Integer.BYTES) {
                    send();
                }
                answers.putInt(first).putInt(count);
                for (int item = first; item < first + count; item++) {
                    answers.putInt(PlainPool.apply(task, item));
                }
            }
            requests.compact();
            send();
        }
    }

    private ByteBuffer read(int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("The pool ended before its function had come.");
            }
        }
        return buffer.flip();
    }

    private void send() throws IOException {
        answers.flip();
        while (answers.hasRemaining()) {
            channel.write(answers);
        }
        answers.clear();
    }
}
