// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.socket;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Incoming connections that have not yet named their invitation. Each gets {@value #BYTES_OF_A_STRANGER} bytes of
 * memory and a few seconds, and may lose its place if too many others arrive after it. Not thread-safe; belongs to the
 * thread that drives the transport.
 */
final class Arrivals implements AutoCloseable {

    static final int MOST_STRANGERS = 128;
    static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int ACCEPTED_AT_ONCE = 64;
    private static final int BYTES_OF_A_STRANGER = Greeting.BYTES;

    private final ListeningSocket socket;
    private final TransportCounters counters;
    private final TransportSettings settings;
    private final Readiness readiness;
    private final Map<Token, SocketLink> invitations = new HashMap<>();
    private final ArrayDeque<Stranger> strangers = new ArrayDeque<>();
    private @Nullable Consumer<SocketChannel> newcomers;
    private boolean hasWarned;

    Arrivals(ListeningSocket socket, TransportSettings settings, TransportCounters counters, Readiness readiness) {
        this.socket = socket;
        this.settings = settings;
        this.counters = counters;
        this.readiness = readiness;
        watch();
    }

    /** Registers the listening socket and these connections with the runtime's selector. */
    void watch() {
        socket.watch(readiness);
        strangers.forEach(stranger -> readiness.watch(stranger.channel, SelectionKey.OP_READ));
    }

    private record Stranger(SocketChannel channel, ByteBuffer greeting, long endNs) {}

    ListeningSocket socket() {
        return socket;
    }

    /** Expects a peer, whose connection is given to this link. */
    void expect(Token token, SocketLink link) {
        invitations.put(token, link);
    }

    /** Passes connections to {@code takers} from now on if their peers say that they have no invitation. */
    void welcome(Consumer<SocketChannel> takers) {
        newcomers = takers;
    }

    /** Stops expecting a peer with this token. */
    void forget(Token token) {
        invitations.remove(token);
    }

    /** Returns a number greater than 0 if a connection arrived, was given to its link or was closed. */
    int doWork(long nowNs) {
        int work = accept(nowNs);
        if (strangers.isEmpty()) {
            return work;
        }
        for (Iterator<Stranger> all = strangers.iterator(); all.hasNext(); ) {
            Stranger stranger = all.next();
            if (isSettled(stranger, nowNs)) {
                all.remove();
                work++;
            }
        }
        while (strangers.size() > MOST_STRANGERS) {
            cut(strangers.remove());
        }
        return work;
    }

    private int accept(long nowNs) {
        int came = 0;
        try {
            if (!socket.hasConnections()) {
                return 0;
            }
            for (SocketChannel next = socket.accept(); next != null; next = socket.accept()) {
                came++;
                if (socket.mayBePeer(next)) {
                    strangers.add(new Stranger(next, ByteBuffer.allocate(BYTES_OF_A_STRANGER), nowNs + LIMIT_NS));
                    readiness.watch(next, SelectionKey.OP_READ);
                } else {
                    refuse(next);
                }
                if (came == ACCEPTED_AT_ONCE) {
                    break;
                }
            }
        } catch (IOException e) {
            warn(e);
        }
        return came;
    }

    private void warn(IOException e) {
        if (!hasWarned) {
            hasWarned = true;
            settings.context()
                    .listener()
                    .onWarning("A connection could not be accepted at "
                            + socket.endpoint().inWords() + ": " + e.getMessage()
                            + ". Fiber tries again. If too many files are open, raise the limit of this process"
                            + " (ulimit -n).");
        }
    }

    private boolean isSettled(Stranger stranger, long nowNs) {
        try {
            int bytes = stranger.channel.read(stranger.greeting);
            if (!stranger.greeting.hasRemaining()) {
                settle(stranger);
                return true;
            }
            if (bytes >= 0 && nowNs - stranger.endNs < 0) {
                return false;
            }
        } catch (IOException e) {
            // The peer is gone or has closed its connection.
        }
        cut(stranger);
        return true;
    }

    private void settle(Stranger stranger) throws IOException {
        Token token = Greeting.read(stranger.greeting.flip());
        SocketLink link = token == null ? null : invitations.get(token);
        Consumer<SocketChannel> takers = newcomers;
        if (token == null) {
            refuse(stranger.channel);
        } else if (takers != null && token.equals(Token.OF_NEWCOMERS)) {
            accept(stranger.channel);
            takers.accept(stranger.channel);
        } else if (link == null) {
            Greeting.answer(stranger.channel, Greeting.REFUSED);
            refuse(stranger.channel);
        } else {
            accept(stranger.channel);
            invitations.remove(token);
            link.connect(stranger.channel);
        }
    }

    private void accept(SocketChannel channel) throws IOException {
        Sockets.prepare(channel, settings.patienceNs());
        Greeting.answer(channel, Greeting.ACCEPTED);
    }

    private void refuse(SocketChannel channel) {
        counters.countRefused();
        Sockets.close(channel);
    }

    private void cut(Stranger stranger) {
        counters.countCut();
        Sockets.close(stranger.channel);
    }

    @Override
    public void close() {
        strangers.forEach(stranger -> Sockets.close(stranger.channel));
        strangers.clear();
        socket.close();
    }
}
