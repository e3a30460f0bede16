// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * How the conductor waits when nothing happened. It looks a few times more, then it sleeps: for a small share of the time
 * that nothing has happened, so that what is noticed late is late by that share at most, up to a length that costs
 * nothing. When no frame is expected the share is larger. A command of another thread, or of a task that has ended, ends
 * the sleep at once; a frame from a peer is found at its end.
 *
 * <p>A look at a thousand peers takes 0.1 ms, and several times that when others had the caches meanwhile. One that finds
 * little is followed by a rest, so that looking does not take a processor from those whose answers it waits for; few peers
 * are looked at without a rest.
 *
 * <p>While the process is fresh it looks more rarely for tasks and results, and sleeps when the first look has found
 * nothing: each look takes a processor from the workers, from the compiler, and makes the compiler take up the code of
 * looks before that of tasks. For the answer to one message it looks as often as ever.
 *
 * <p>Where the transports tell when they have something, it sleeps at once and until they do, or until something that time
 * brings is due ({@link TransportWait}).
 *
 * <p>It never yields: on a machine with more threads than processors a thread that yields is put behind all others for
 * milliseconds, while one that slept is run at once.
 */
public final class ConductorIdle {

    /** Which of several threads waits for the transports: the one that stands last here. */
    enum Rank {
        /** One that conducts when no other thread does. */
        STAND_BY,
        /** The one that conducts most of the time. */
        MAIN,
        /** One that waits for an answer. */
        LEADER
    }

    private static final int SPINS = 20;
    /**
     * So often it looks for the answer to one message, which takes the other process some 20 microseconds: less than to fall
     * asleep and to wake. For tasks and results it does not: a thousand workers would look at a time.
     */
    private static final int SPINS_FOR_AN_ANSWER = 100;
    /**
     * A process is fresh until it has looked this often, which 1,000 to 2,000 quick maps take; then the code of a look is
     * compiled. With 6,000 looks, C2 costs a fresh master over {@code socket} half as much again; with 20,000 looks, 1,000
     * to 4,000 quick maps take a twentieth longer.
     */
    private static final int LOOKS_OF_A_FRESH_PROCESS = 10_000;

    /**
     * Two more looks before the sleep took an eighth of the processor time of 1,000 rounds of 5 tasks. A sleep of half of
     * the last silence found results later.
     */
    private static final long LEAST_PARK_WHEN_FRESH_NS = 400_000;
    /** A shorter sleep costs more processor time, some 20 microseconds to fall asleep and to wake, than it saves. */
    private static final long LEAST_PARK_NS = 25_000;

    private static final long GREATEST_PARK_NS = 10_000_000;
    /** What has a time limit is late by the share of above, but not by more than this, where frames and commands are not. */
    private static final long GREATEST_TIMED_PARK_NS = 100_000_000;
    /** What is expected is noticed late by at most this share of the time that it took. */
    private static final int SHARE_WHEN_EXPECTED = 50;

    private static final int SHARE_OTHERWISE = 8;
    /** So many times as long as a look is the rest after it. */
    private static final int LOOKS_OF_A_REST = 4;
    /** How long looks take is also a matter of who else wants the processor; this is not. */
    private static final long GREATEST_REST_OF_A_PEER_NS = 1_000;
    /** A look that finds a frame for each of so many peers is worth its time. */
    private static final int PEERS_OF_A_FIND = 8;
    /** As is one that finds so much, be it from one peer. */
    private static final int ENOUGH_FINDS = Peer.FRAMES_PER_CYCLE;

    private final NanoClock clock;
    /** What this process may be sent next. */
    final Supplier<Expected> expected;

    private final TransportWait transports;
    private final Rank rank;
    private volatile @Nullable Thread owner;
    private volatile boolean parked;
    /** Whether it waits for the transports, or is about to. */
    private volatile boolean waiting;

    private volatile boolean woken;
    /** Whether another thread wants to wait for the transports in its place. */
    private volatile boolean evicted;

    private long idleSinceNs;
    private int spins;
    private int looks;
    private volatile long restNs;

    ConductorIdle(NanoClock clock, Supplier<Expected> expected, TransportWait transports, Rank rank) {
        this.clock = clock;
        this.expected = expected;
        this.transports = transports;
        this.rank = rank;
    }

    boolean isAsleep() {
        return parked || waiting;
    }

    /** Tells whether another thread has ended the sleep, also one that is about to begin. */
    boolean isWoken() {
        return woken;
    }

    /** Ends its wait for the transports, without a call for a look. */
    void evict() {
        evicted = true;
        if (waiting) {
            transports.end();
        }
    }

    boolean ranksBelow(ConductorIdle other) {
        return rank.compareTo(other.rank) < 0;
    }

    /** Ends a sleep, also one that is about to begin. */
    public void wake() {
        if (!woken) {
            woken = true;
            if (parked) {
                LockSupport.unpark(owner);
            }
            if (waiting) {
                transports.end();
            }
        }
    }

    /** Waits after a cycle that did so much. */
    public void idle(int workCount) {
        idle(workCount, Long.MAX_VALUE);
    }

    /** Waits as {@link #idle(int)} does, but not longer than this. */
    void idle(int workCount, long limitNs) {
        long lengthNs = lengthNs(workCount);
        if (lengthNs > 0) {
            if (workCount > 0 || !awaitTransports(limitNs)) {
                sleep(Math.min(limitNs, lengthNs));
            }
        } else if (workCount == 0) {
            Thread.onSpinWait();
        }
    }

    /** Returns false when looking again is what is left. */
    private boolean awaitTransports(long limitNs) {
        long aloneNs = transports.limitNs();
        if (aloneNs == TransportWait.NONE) {
            return false;
        }
        if (transports.isUnexplained()) {
            // Whatever it is, the transports have been driven or soon will be; it must not keep this thread busy.
            transports.explained();
            return false;
        }
        evicted = false;
        waiting = true;
        boolean waited = transports.await(this, Math.min(limitNs, restNs(aloneNs)));
        waiting = false;
        if (evicted || (!waited && transports.isTakenBefore(this))) {
            sleep(Math.min(limitNs, deputeNs(clock.nanoTime() - idleSinceNs)));
            transports.recall(this);
            return true;
        }
        if (waited) {
            forgetWake();
        }
        return waited;
    }

    private long restNs(long aloneNs) {
        if (aloneNs != TransportWait.TIMED) {
            return aloneNs;
        }
        long silentNs = clock.nanoTime() - idleSinceNs;
        return Math.min(GREATEST_TIMED_PARK_NS, Math.max(GREATEST_PARK_NS, silentNs / SHARE_WHEN_EXPECTED));
    }

    /**
     * Returns how long to sleep while another thread waits for the transports, which wakes this one when it no longer
     * does. That one may have left before it could see this one: then the sleep is not long.
     */
    long deputeNs(long silentNs) {
        long lengthNs = Math.min(GREATEST_TIMED_PARK_NS, silentNs / SHARE_OTHERWISE);
        if (lengthNs > GREATEST_PARK_NS) {
            transports.depute(this);
            if (transports.isTakenBefore(this)) {
                return lengthNs;
            }
        }
        return GREATEST_PARK_NS;
    }

    /** Counts a cycle that did so much; returns how long to sleep after it, and 0 when the next one follows at once. */
    long lengthNs(int workCount) {
        looks += looks < LOOKS_OF_A_FRESH_PROCESS ? 1 : 0;
        if (workCount > 0) {
            reset();
            return restNs;
        }
        int spun = spins;
        if (spun == 0) {
            idleSinceNs = clock.nanoTime();
        }
        spins += spun < SPINS_FOR_AN_ANSWER ? 1 : 0;
        Expected next = expected.get();
        boolean isOver = isTold() || isSparing(next) || isSpunOut(spun, next);
        return isOver ? Math.max(restNs, sleepNs(clock.nanoTime() - idleSinceNs, next)) : restNs;
    }

    private void sleep(long lengthNs) {
        owner = Thread.currentThread();
        parked = true;
        if (!woken) {
            LockSupport.parkNanos(lengthNs);
        }
        parked = false;
        forgetWake();
    }

    private void forgetWake() {
        if (woken) {
            woken = false;
            reset();
        }
    }

    /** Takes what a look at {@code peers} peers, which began at {@code beganNs}, has found. */
    void looked(int peers, int found, long beganNs) {
        long wanted = isWorthItsTime(peers, found) ? 0 : restAfter(peers, clock.nanoTime() - beganNs);
        if (wanted != restNs) {
            restNs = wanted;
        }
    }

    /** Tells whether a look has found so much that the next one should follow at once; it always has with few peers. */
    static boolean isWorthItsTime(int peers, int found) {
        return found >= Math.min(peers / PEERS_OF_A_FIND, ENOUGH_FINDS);
    }

    /** Returns how long to rest after a look that was not worth its time; what is less than the least sleep is none. */
    static long restAfter(int peers, long lookNs) {
        long wanted = Math.min(LOOKS_OF_A_REST * lookNs, GREATEST_REST_OF_A_PEER_NS * peers);
        return wanted < LEAST_PARK_NS ? 0 : wanted;
    }

    long sleepNs(long silentNs, Expected next) {
        int share = next == Expected.NOTHING ? SHARE_OTHERWISE : SHARE_WHEN_EXPECTED;
        long leastNs = isSparing(next) ? LEAST_PARK_WHEN_FRESH_NS : LEAST_PARK_NS;
        return Math.min(GREATEST_PARK_NS, Math.max(leastNs, silentNs / share));
    }

    private static boolean isSpunOut(int spun, Expected next) {
        return spun >= SPINS_FOR_AN_ANSWER || (spun >= SPINS && next != Expected.ANSWER);
    }

    /** A wait that ends when something comes costs less than looking for it. */
    private boolean isTold() {
        return transports.limitNs() != TransportWait.NONE;
    }

    private boolean isSparing(Expected next) {
        return looks < LOOKS_OF_A_FRESH_PROCESS && next != Expected.ANSWER;
    }

    /** Something has happened: it looks a few times more before it sleeps. */
    public void reset() {
        spins = 0;
    }
}
