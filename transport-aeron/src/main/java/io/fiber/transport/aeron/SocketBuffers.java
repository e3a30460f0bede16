// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * The buffers of UDP sockets, as large as the kernel allows.
 *
 * @param receiveBytes buffer of a receiving socket
 * @param sendBytes buffer of a sending socket
 * @param windowBytes how much one peer may send ahead
 * @param warnings what the kernel refused, for people to read
 */
record SocketBuffers(int receiveBytes, int sendBytes, int windowBytes, List<String> warnings) {

    private static final int WANTED_BYTES = 2 << 20;

    /** Aeron's default, for a connection between hosts of one site. */
    private static final int WINDOW_BYTES = 128 * 1024;

    static SocketBuffers of(int termLengthBytes) {
        List<String> warnings = new ArrayList<>();
        int receive = WANTED_BYTES;
        int send = WANTED_BYTES;
        try (DatagramChannel channel = DatagramChannel.open()) {
            receive = granted(channel, StandardSocketOptions.SO_RCVBUF, "net.core.rmem_max", warnings);
            send = granted(channel, StandardSocketOptions.SO_SNDBUF, "net.core.wmem_max", warnings);
        } catch (IOException e) {
            warnings.add("The sizes of UDP buffers could not be determined: " + e);
        }
        int window = Math.max(WINDOW_BYTES, termLengthBytes / 2);
        return new SocketBuffers(receive, send, Math.min(receive, window), List.copyOf(warnings));
    }

    private static int granted(
            DatagramChannel channel, SocketOption<Integer> option, String sysctl, List<String> warnings)
            throws IOException {
        channel.setOption(option, WANTED_BYTES);
        int granted = channel.getOption(option);
        if (granted < WANTED_BYTES) {
            warnings.add("The kernel grants UDP sockets " + granted + " bytes of " + option.name() + " instead of "
                    + WANTED_BYTES
                    + ", so links between hosts are slower: set sysctl " + sysctl + "=" + WANTED_BYTES
                    + " or more on this host.");
        }
        return Math.min(granted, WANTED_BYTES);
    }
}
