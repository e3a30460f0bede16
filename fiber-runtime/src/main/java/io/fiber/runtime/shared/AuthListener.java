// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.Protocol;
import io.fiber.runtime.security.HandshakeTerms;
import io.fiber.runtime.security.JobKey;
import io.fiber.runtime.security.JobKeys;
import io.fiber.runtime.security.MasterHandshake;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP port at which programs show that they hold a key. A connection stays open for as long as its program is
 * connected: its end is the first sign that one of both has ended. One thread, however many clients.
 *
 * <p>Strangers are few at a time and have little time; when one more comes, the one that came first has to go. Nothing that they
 * send is read but the fixed messages of the handshake.
 */
final class AuthListener implements Runnable {

    /** The job number in the handshake; the key is the same for all. */
    static final long NUMBER = 1;

    /** The session id in the handshake, and what keys are derived for. */
    static final String USE = "fiber/1 manager door";

    private static final int MOST_STRANGERS = 64;
    private static final long STRANGER_LIMIT_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long LOOK_MS = 500;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long CLOSE_LIMIT_MS = 5_000;

    /** Is told by the listener's thread what becomes of a connection; returns at once. */
    interface Callback {
        /** A program has shown the key and waits for {@link AuthConnection#answer}. */
        void onProven(AuthConnection connection);

        /** A program that had shown the key has gone. */
        void onLeft(AuthConnection connection);

        /** A program did not show the key. */
        void onRefused();
    }

    private final ServerSocketChannel listening;
    private final JobKey key;
    private final Callback callback;
    private final Selector selector;
    private final SecureRandom random = new SecureRandom();
    private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
    private final Set<AuthConnection> connections = new HashSet<>();
    private final ArrayDeque<AuthConnection> strangers = new ArrayDeque<>();
    private final Thread thread;
    private volatile boolean open = true;

    /**
     * Creates a listener; it owns the channel from now on.
     *
     * @param key what clients must hold
     */
    AuthListener(ServerSocketChannel listening, JobKey key, Callback callback) {
        this.listening = listening;
        this.key = key;
        this.callback = callback;
        try {
            this.selector = Selector.open();
            listening.configureBlocking(false);
            listening.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.thread = new Thread(this, "fiber-auth");
        thread.setDaemon(true);
    }

    /** Accepts connections from now on. */
    void begin() {
        thread.start();
    }

    /** Has the listener's thread do something. Any thread may call it. */
    void execute(Runnable command) {
        commands.add(command);
        selector.wakeup();
    }

    /** Closes it and all connections that came through it. Any other thread may call it; blocks for a bounded time. */
    void close() {
        open = false;
        try {
            if (thread.isAlive()) {
                selector.wakeup();
                thread.join(CLOSE_LIMIT_MS);
            } else {
                selector.close();
                listening.close();
            }
        } catch (IOException e) {
            log().log(System.Logger.Level.WARNING, "The listener of a manager could not be closed.", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run() {
        try (selector;
                listening) {
            while (open) {
                selector.select(strangers.isEmpty() ? 0 : LOOK_MS);
                for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
                    command.run();
                }
                selector.selectedKeys().forEach(this::onReady);
                selector.selectedKeys().clear();
                dismissStrangers();
            }
        } catch (IOException e) {
            log().log(
                            System.Logger.Level.ERROR,
                            "The listener of a manager has failed and accepts no more connections.",
                            e);
        } finally {
            List.copyOf(connections).forEach(AuthConnection::close);
        }
    }

    private void onReady(SelectionKey ready) {
        if (ready.attachment() instanceof AuthConnection connection) {
            connection.onReadable();
        } else {
            accept();
        }
    }

    private void accept() {
        try {
            SocketChannel channel = listening.accept();
            if (channel != null) {
                enter(channel);
            }
        } catch (IOException e) {
            log().log(System.Logger.Level.WARNING, "A connection to a manager could not be taken.", e);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    private void enter(SocketChannel channel) throws IOException {
        channel.configureBlocking(false);
        channel.socket().setTcpNoDelay(true);
        channel.socket().setKeepAlive(true);
        JobKeys keys = new JobKeys(random, 1);
        keys.register(NUMBER, key);
        HandshakeTerms terms = new HandshakeTerms(Protocol.VERSION, USE, HandshakeTerms.Exposure.OPEN);
        AuthConnection connection = new AuthConnection(
                this, channel, new MasterHandshake(terms, keys, random), System.nanoTime() + STRANGER_LIMIT_NS);
        channel.register(selector, SelectionKey.OP_READ, connection);
        connections.add(connection);
        strangers.add(connection);
        if (strangers.size() > MOST_STRANGERS) {
            strangers.getFirst().close();
        }
    }

    private void dismissStrangers() {
        long nowNs = System.nanoTime();
        while (!strangers.isEmpty() && nowNs - strangers.getFirst().endNs() > 0) {
            strangers.getFirst().close();
        }
    }

    /** Is told by a connection that it is proven. */
    void onProven(AuthConnection connection) {
        strangers.remove(connection);
        callback.onProven(connection);
    }

    /** Is told by a connection that it is over. */
    void onClosed(AuthConnection connection, AuthConnection.State before) {
        connections.remove(connection);
        if (strangers.remove(connection)) {
            callback.onRefused();
        } else if (before != AuthConnection.State.STRANGER) {
            callback.onLeft(connection);
        }
    }

    private static System.Logger log() {
        return Logs.of(AuthListener.class);
    }
}
