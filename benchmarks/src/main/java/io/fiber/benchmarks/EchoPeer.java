// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The second JVM of {@link ConnectionBenchmark}: sends back what asks for it, ends when it is told or alone. */
public final class EchoPeer {
    /** First byte of a message that is sent back. */
    static final byte ECHO = 1;
    /** First byte of a message that is only received. */
    static final byte SINK = 2;

    /** First byte of the last message. */
    static final byte END = 3;

    private EchoPeer() {}

    /** Takes {@code link} or {@code aeron}, a directory, and for a link the address. */
    public static void main(String[] args) {
        Path directory = Path.of(args[1]);
        boolean isLink = args[0].equals("link");
        try (Channel channel = isLink ? LinkChannel.dial(directory, args[2]) : AeronChannel.dial(directory)) {
            while (!channel.isConnected()) {
                Channel.idle(0);
            }
            serve(channel);
        }
    }

    private static void serve(Channel channel) {
        ByteBuffer reply = ByteBuffer.allocateDirect(ConnectionBenchmark.PING_BYTES);
        reply.put(0, ECHO);
        int[] received = new int[END + 1];
        Channel.Receiver receiver = (kind, length) -> received[kind]++;
        while (received[END] == 0 && !channel.isClosed()) {
            int work = channel.poll(receiver);
            while (received[ECHO] > 0 && !channel.isClosed() && channel.offer(reply)) {
                received[ECHO]--;
            }
            Channel.idle(work);
        }
    }
}
