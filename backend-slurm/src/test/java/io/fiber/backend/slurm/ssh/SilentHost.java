// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm.ssh;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A port that takes connections and says nothing, or, when it was filled, drops the packets of those who knock. */
public final class SilentHost implements AutoCloseable {

    private static final int KNOCK_MS = 500;
    private static final int MOST_KNOCKS = 20;

    private final ServerSocket door;
    private final List<Socket> waiting = new ArrayList<>();

    private SilentHost(ServerSocket door) {
        this.door = door;
    }

    /** Returns one that takes connections. */
    public static SilentHost open() throws IOException {
        return new SilentHost(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
    }

    /** Returns one whose queue is full, so that the kernel drops what further ones send to begin a connection. */
    public static SilentHost full() throws IOException {
        SilentHost host = open();
        for (int i = 0; i < MOST_KNOCKS; i++) {
            Socket socket = new Socket();
            host.waiting.add(socket);
            try {
                socket.connect(new InetSocketAddress(host.door.getInetAddress(), host.port()), KNOCK_MS);
            } catch (SocketTimeoutException e) {
                return host;
            }
        }
        host.close();
        throw new IOException("The queue of a port does not fill.");
    }

    /** Returns its port. */
    public int port() {
        return door.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        for (Socket socket : waiting) {
            socket.close();
        }
        door.close();
    }
}
