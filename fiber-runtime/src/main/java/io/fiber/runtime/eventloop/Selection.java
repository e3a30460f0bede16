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
 * The selector of a conductor, with which its transports have registered. Only the thread that has the <i>place</i>, a
 * lock, may wait in it: the I/O thread or, while that lends it, a caller that waits for an answer.
 *
 * <p>No wake-up is lost. A thread first notes itself as the sleeper and then checks whether it should stay awake. Another
 * one first sets what is checked and then looks for a sleeper, so one of the two sees the other. The selector keeps a
 * wake-up that comes early. A channel stays ready until it is read, so nothing is lost if a thread leaves without
 * reading.
 */
final class Selection {

    /** What the next cycle must do, besides what is due. */
    static final class Ready implements Consumer<SelectionKey> {
        static final Ready NONE = new Ready();

        final List<Link> links = new ArrayList<>();
        /** Whether the transports must be driven. */
        boolean isDriveDue;
        /** Whether the states and leases of all peers must be checked. */
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
    /** The thread that waits in the selector, or is about to. */
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

    /**
     * Takes the place for the I/O thread. A caller that waits there leaves; one that reads finishes first, if in time.
     *
     * @return false if the caller has not left in time, or this thread was interrupted; then the interrupt is kept
     */
    boolean enter(long limitNs) {
        lent = false;
        wake();
        try {
            return place.tryLock(limitNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
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

    void wake() {
        wake(sleeper);
    }

    /** Wakes this thread if it is the sleeper. */
    @SuppressWarnings("ReferenceEquality") // whether it is the same thread
    void wake(@Nullable Thread thread) {
        Selector used = selector;
        if (thread != null && thread == sleeper && used != null) {
            used.wakeup();
        }
    }

    /** Closes the selector; from now on all transports are polled. */
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
