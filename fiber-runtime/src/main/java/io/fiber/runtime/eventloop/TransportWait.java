// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import io.fiber.spi.transport.Transport;
import java.io.IOException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a thread of the conductor waits until a transport has something, another thread calls, or a time has passed: a
 * selector, with which the transports have registered. Of use only while all of them have; the others are looked at again and
 * again. One thread at a time waits here.
 *
 * <p>Thread-safe, but for what is said to belong to the conductor.
 */
final class TransportWait {

    /** The conductor is to be looked at again and again. */
    static final long NONE = 0;

    /** Some part of the conductor has a limit of milliseconds or more. */
    static final long TIMED = 1;

    /** Takes ready channels, which the selector would else collect in a set, with an object for each. */
    private static final class Ignoring implements Consumer<SelectionKey> {
        @Override
        public void accept(SelectionKey key) {}
    }

    private static final Ignoring IGNORING = new Ignoring();

    private final BooleanSupplier isCalled;
    private final AtomicReference<@Nullable ConductorIdle> occupant = new AtomicReference<>();
    private volatile @Nullable Selector selector;
    private boolean asked;
    /** How long the conductor may be left alone after the last exchange. */
    private volatile long limitNs;
    /** Whether a channel has become ready, and no exchange has found out why. */
    private volatile boolean unexplained;
    /** A thread that has found the place taken, and sleeps for longer than it does when no thread waits here. */
    private final AtomicReference<@Nullable ConductorIdle> deputy = new AtomicReference<>();

    /** Creates the place; {@code isCalled} tells whether a thread wants something of the conductor. */
    TransportWait(BooleanSupplier isCalled) {
        this.isCalled = isCalled;
    }

    /** Asks the transports, once they are idle: a process that starts has no time for it. Called by the conductor. */
    void askOnce(List<Transport> transports) {
        if (asked) {
            return;
        }
        asked = true;
        try {
            Selector made = Selector.open();
            for (int i = 0; i < transports.size(); i++) {
                if (!transports.get(i).registerWith(made)) {
                    made.close();
                    return;
                }
            }
            selector = made;
        } catch (IOException e) {
            // There are too many open files: this process looks, as with transports that have no such way.
        }
    }

    /** Another transport is driven from now on. Called by the conductor. */
    void add(Transport transport) {
        Selector used = selector;
        if (used != null && !transport.registerWith(used)) {
            close();
        }
    }

    boolean isUsable() {
        return selector != null;
    }

    /** Returns how long the conductor may be left alone; {@link #NONE} when it should be looked at as often as ever. */
    long limitNs() {
        return limitNs;
    }

    /** Notes after an exchange how long the conductor may be left alone. Called by the conductor. */
    void leaveAlone(long newLimitNs) {
        long before = limitNs;
        if (newLimitNs != before) {
            limitNs = newLimitNs;
            if (newLimitNs < before) {
                wakeOccupant();
            }
        }
    }

    /** Something was done, or read: why a channel had become ready is known. Called by the conductor. */
    void explained() {
        if (unexplained) {
            unexplained = false;
        }
    }

    /** Tells whether a channel has become ready and an exchange has found nothing: the transports must be driven. */
    boolean isUnexplained() {
        return unexplained;
    }

    /** Waits; returns false when another thread does, or the transports have no such way. */
    boolean await(ConductorIdle idle, long atMostNs) {
        Selector used = selector;
        if (used == null || !enter(idle)) {
            return false;
        }
        try {
            if (!idle.isWoken() && !isCalled.getAsBoolean()) {
                long limitMs = Math.max(1, TimeUnit.NANOSECONDS.toMillis(atMostNs));
                unexplained = used.select(IGNORING, limitMs) > 0;
            }
            return true;
        } catch (IOException | ClosedSelectorException e) {
            close();
            return false;
        } finally {
            occupant.set(null);
        }
    }

    /** A thread that waits for an answer takes the place of one that only stands by. */
    private boolean enter(ConductorIdle idle) {
        if (occupant.compareAndSet(null, idle)) {
            return true;
        }
        ConductorIdle other = occupant.get();
        if (other != null && other.ranksBelow(idle)) {
            other.evict();
        }
        return false;
    }

    /** Tells whether a thread waits here that will leave by itself, so that another one need not. */
    boolean isTakenBefore(ConductorIdle idle) {
        ConductorIdle other = occupant.get();
        return other != null && idle.ranksBelow(other);
    }

    /** Notes a thread that will sleep for long because another one waits here. */
    void depute(ConductorIdle idle) {
        deputy.set(idle);
    }

    /** A thread that may have been noted sleeps no more. */
    void recall(ConductorIdle idle) {
        deputy.compareAndSet(idle, null);
    }

    /** The calling thread will not wait here again soon: another one has to. */
    void leave() {
        ConductorIdle sleeping = deputy.get();
        if (sleeping != null) {
            sleeping.wake();
        }
    }

    void wakeOccupant() {
        ConductorIdle waiting = occupant.get();
        if (waiting != null) {
            waiting.wake();
        }
    }

    /** Ends the wait of the thread that waits here, or is about to. */
    void end() {
        Selector used = selector;
        if (used != null) {
            used.wakeup();
        }
    }

    /** Lets go of channels that were closed while no thread waited here. Called by the conductor. */
    void release(ConductorIdle idle) {
        Selector used = selector;
        if (used != null && occupant.compareAndSet(null, idle)) {
            try {
                used.selectNow(IGNORING);
            } catch (IOException | ClosedSelectorException e) {
                close();
            } finally {
                occupant.set(null);
            }
        }
    }

    /** From now on the transports are looked at. Called when they are closed, too. */
    void close() {
        Selector used = selector;
        selector = null;
        asked = true;
        limitNs = NONE;
        if (used != null) {
            try {
                used.close();
            } catch (IOException e) {
                // No thread waits there any more.
            }
        }
    }
}
