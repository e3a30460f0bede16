// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The selector of a conductor, with which its transports have registered. One thread at a time has its place: the I/O
 * thread or, while that lends it, a caller that waits for an answer.
 *
 * <p>No wake-up is lost. A thread notes itself as the sleeper before it looks for a last time whether it should stay
 * awake; who wants it awake says so before it looks for a sleeper. The selector keeps a wake-up for the next thread that
 * selects, which has the place. A channel stays ready until it is served, so a thread that leaves what it has found
 * leaves it to the next one.
 */
final class Selection {

    /** What a thread has found ready, and wants of the next cycle. */
    static final class Ready implements Consumer<SelectionKey> {
        static final Ready NONE = new Ready();

        final List<Link> links = new ArrayList<>();
        /** Whether the transports must be driven. */
        boolean isDriveDue;
        /** Whether the state of all links must be checked, which need not be read for it. */
        boolean isCheckDue;

        @Override
        public void accept(SelectionKey key) {
            if (key.attachment() instanceof Link link) {
                links.add(link);
            } else {
                isDriveDue = true;
            }
        }

        boolean isEmpty() {
            return links.isEmpty() && !isDriveDue;
        }

        void clear() {
            links.clear();
            isDriveDue = false;
            isCheckDue = false;
        }
    }

    private final ReentrantLock place = new ReentrantLock();
    private volatile @Nullable Selector selector;
    private volatile @Nullable Thread sleeper;
    private volatile boolean lent;
    /** Whether some transport cannot signal what arrives, so that all of them are polled. */
    private volatile boolean polled;

    /** Registers a transport. Called by the conductor. */
    void add(Transport transport) {
        try {
            Selector used = selector;
            if (used == null && !polled) {
                used = Selector.open();
                selector = used;
            }
            polled |= used == null || !transport.registerWith(used);
        } catch (IOException e) {
            // There are too many open files.
            polled = true;
        }
        if (polled) {
            close();
        }
    }

    /** Returns whether the selector signals all that arrives. Thread-safe. */
    boolean isTold() {
        return selector != null;
    }

    /** Takes the place for the I/O thread; a caller that has it leaves. */
    void enter() {
        lent = false;
        wake();
        place.lock();
    }

    /** Takes the place for a caller; returns false if it is not lent, or another caller has it. */
    boolean tryEnter() {
        return (lent || !isTold()) && place.tryLock();
    }

    void leave() {
        place.unlock();
    }

    void lend() {
        lent = true;
    }

    boolean isLent() {
        return lent;
    }

    boolean isFree() {
        return !place.isLocked();
    }

    /**
     * Waits until a channel is ready, the time has passed, or another thread wakes this one. Called by the thread that has
     * the place. An interrupt ends the wait and is kept.
     *
     * @param staysAwake whether something has happened that ends the wait
     */
    void select(long limitNs, BooleanSupplier staysAwake, Ready ready) {
        Selector used = selector;
        if (used == null) {
            return;
        }
        try {
            sleeper = Thread.currentThread();
            if (limitNs <= 0 || staysAwake.getAsBoolean()) {
                used.selectNow(ready);
            } else {
                used.select(ready, Math.max(1, TimeUnit.NANOSECONDS.toMillis(limitNs)));
            }
        } catch (IOException | ClosedSelectorException e) {
            close();
        } finally {
            sleeper = null;
        }
    }

    /** Wakes the thread that sleeps in the selector, or is about to. */
    void wake() {
        wake(sleeper);
    }

    /** Wakes this thread if it sleeps in the selector, or is about to. */
    @SuppressWarnings("ReferenceEquality") // whether it is the same thread
    void wake(@Nullable Thread thread) {
        Selector used = selector;
        if (thread != null && thread == sleeper && used != null) {
            used.wakeup();
        }
    }

    /** Polls from now on: transports continue as if they had never been given the selector. */
    void close() {
        Selector used = selector;
        selector = null;
        polled = true;
        if (used != null) {
            try {
                used.close();
            } catch (IOException e) {
                // No thread waits there any more.
            }
        }
    }
}
