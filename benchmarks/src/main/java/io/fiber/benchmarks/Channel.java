// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import java.nio.ByteBuffer;

/** One end of a connection between two JVMs: what a link and raw Aeron have in common. Belongs to one thread. */
interface Channel extends AutoCloseable {

    /** Takes messages. */
    interface Receiver {
        /** Takes one message: its first byte, and its length. */
        void onMessage(byte kind, int length);
    }

    /** Tells whether the peer is there. */
    boolean isConnected();

    /** Tells whether the peer is gone for good. */
    boolean isClosed();

    /** Offers a message, from position to limit; tells whether it was accepted. */
    boolean offer(ByteBuffer message);

    /** Hands over what has arrived; returns how much was done. */
    int poll(Receiver receiver);

    @Override
    void close();

    /** Offers a message until it is accepted, receiving meanwhile. */
    default void send(ByteBuffer message, Receiver receiver) {
        while (!offer(message)) {
            if (isClosed()) {
                throw new IllegalStateException("The peer is gone.");
            }
            idle(poll(receiver));
        }
    }

    /** Lets others run when nothing was done: all systems wait in this one way. */
    @SuppressWarnings("ThreadPriorityCheck") // Yielding is what is measured.
    static void idle(int work) {
        if (work == 0) {
            Thread.yield();
        }
    }
}
