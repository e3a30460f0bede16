// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/** Operations that every link needs on its socket. */
final class Sockets {

    private static final int PROBES = 3;

    /** Linux does not accept more. */
    private static final long MOST_SECONDS_OF_SILENCE = 32_767;

    private static final int SECONDS_BETWEEN_PROBES = 5;

    /** Socket options that not every system has are in a module of their own, which a runtime image may lack. */
    static final boolean HAS_EXTENDED_OPTIONS =
            ModuleLayer.boot().findModule("jdk.net").isPresent();

    private Sockets() {}

    /**
     * Sets the options of a link's socket; a socket file has none of them. A silent TCP connection is probed, so that
     * it ends if the other host is gone.
     */
    static void prepare(SocketChannel channel, long silenceNs) throws IOException {
        set(channel, StandardSocketOptions.TCP_NODELAY, true);
        set(channel, StandardSocketOptions.SO_KEEPALIVE, true);
        if (HAS_EXTENDED_OPTIONS) {
            probe(channel, silenceNs);
        }
    }

    private static void probe(SocketChannel channel, long silenceNs) throws IOException {
        long silenceS = Math.min(TimeUnit.NANOSECONDS.toSeconds(silenceNs), MOST_SECONDS_OF_SILENCE);
        set(channel, ExtendedSocketOptions.TCP_KEEPIDLE, (int) silenceS);
        set(channel, ExtendedSocketOptions.TCP_KEEPINTERVAL, SECONDS_BETWEEN_PROBES);
        set(channel, ExtendedSocketOptions.TCP_KEEPCOUNT, PROBES);
    }

    private static <T> void set(SocketChannel channel, SocketOption<T> option, T value) throws IOException {
        if (channel.supportedOptions().contains(option)) {
            channel.setOption(option, value);
        }
    }

    /** Closes a socket, if there is one. */
    static void close(@Nullable SocketChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            // The descriptor is closed nevertheless.
        }
    }
}
