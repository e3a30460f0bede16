// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.FiberException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A port that is held for a member by a listening socket until the member's own code takes it over. Thread-safe.
 */
final class Reservation implements AutoCloseable {

    /** Leaves it to the JDK how many connections may wait. */
    private static final int DEFAULT_BACKLOG = 0;

    private final InetSocketAddress address;
    private final AtomicReference<@Nullable ServerSocket> socket;

    private Reservation(ServerSocket socket) {
        this.address = (InetSocketAddress) socket.getLocalSocketAddress();
        this.socket = new AtomicReference<>(socket);
    }

    /**
     * Reserves a free port of an address of this host.
     *
     * @throws FiberException FBR-463 when there is none
     */
    static Reservation at(InetAddress host) {
        try {
            return new Reservation(new ServerSocket(0, DEFAULT_BACKLOG, host));
        } catch (IOException e) {
            throw new FiberException(
                    "FBR-463",
                    "No port can be reserved for a member of a ring at " + host.getHostAddress() + ", which this host"
                            + " takes for its address: " + e.getMessage(),
                    e);
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** Hands the socket over. */
    ServerSocket take() {
        ServerSocket held = socket.getAndSet(null);
        if (held == null) {
            throw new IllegalStateException("FBR-306 The port " + address.getPort()
                    + " of this member was taken or released before; it can be given once.");
        }
        return held;
    }

    /** Gives the port up and returns it. */
    int release() {
        closeQuietly(take());
        return address.getPort();
    }

    @Override
    public void close() {
        ServerSocket held = socket.getAndSet(null);
        if (held != null) {
            closeQuietly(held);
        }
    }

    private static void closeQuietly(ServerSocket held) {
        try {
            held.close();
        } catch (IOException e) {
            // Closed it is.
        }
    }
}
