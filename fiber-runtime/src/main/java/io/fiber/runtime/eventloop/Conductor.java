// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.logging.Logs;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The I/O of a process. {@link #run} is the loop of its I/O thread. Other threads come in by {@link #execute}, {@link
 * #send}, {@link #await}, {@link #later} and {@link #wake}. The methods that add and remove belong to the thread that has
 * the turn, that is, to commands, duties and listeners of peers, or to the one that will call {@code run}. The description
 * of the package says which thread runs what.
 *
 * <p>If a cycle comes late (a garbage collection, SIGSTOP, a debugger), every lease is extended by the delay: the peers
 * were not silent, this process did not run.
 */
public final class Conductor {

    /** How many cycles a sending thread runs for what follows from its command; the I/O thread does the rest. */
    private static final int CYCLES_OF_A_SENDER = 3;
    /** A cycle goes over all peers. With more, a sender that does not wait leaves it to the I/O thread: one for many commands. */
    private static final int PEERS_OF_A_SENDER = 64;
    /**
     * How much stack a cycle may need, in frames of {@link #descend}. With too few, an overflow would leave the state half
     * changed and end the conductor. More cost each sender time.
     */
    private static final int FRAMES_OF_A_CYCLE = 128;
    /** Over shared memory a peer can send on only after this side's transport was driven. It is less than half a link's room. */
    private static final long GREATEST_UNDRIVEN_BYTES = 16 << 10;

    private final String name;
    private final NanoClock clock;
    private final Selection selection = new Selection();
    private final IoThread io;
    final Waiters waiters;
    final Commands commands = new Commands();

    /** Guards the exchange, the transports, and the own commands of the thread that has it. */
    final ReentrantLock turn = new ReentrantLock();

    final Exchange exchange;
    private final List<Transport> transports = new ArrayList<>();
    private long bytesReadDriven;

    /** What the caller that reads in the place of the I/O thread has found. */
    private final Selection.Ready readyForCaller = new Selection.Ready();

    private volatile boolean closed;
    /** The error that broke off a cycle. The state may be half changed, so no cycle follows. */
    private volatile @Nullable Error broken;

    /** Made early: when it is needed there may be no memory to make it. */
    private final Runnable ending = this::endNow;
    /** The fault that ended it; null if it was closed. */
    private volatile @Nullable Throwable endedBy;

    public Conductor(String name, NanoClock clock, Duration lease) {
        this.name = name;
        this.clock = clock;
        this.waiters = new Waiters(clock, this, selection);
        this.exchange = new Exchange(lease, clock.nanoTime());
        this.io = new IoThread(this, selection);
    }

    /** Returns how long a peer may be silent. */
    public Duration lease() {
        return exchange.lease();
    }

    public String roleName() {
        return name;
    }

    public long nowNs() {
        return clock.nanoTime();
    }

    /**
     * Runs a command in the next cycle, in the thread that runs that cycle: usually the I/O thread. Blocks while more than
     * some thousand commands wait, unless the caller has the turn.
     *
     * @return false if the conductor has closed; the command may have run or not
     */
    public boolean execute(Runnable command) {
        if (turn.isHeldByCurrentThread()) {
            commands.addOwn(command);
        } else if (put(command)) {
            wake();
        }
        return !closed;
    }

    /**
     * Runs a command in the calling thread, together with others that wait, and sends the frames that result. If another
     * thread has the turn, or there are many peers, it does what {@link #execute} does.
     */
    public boolean send(Runnable command) {
        if (turn.isHeldByCurrentThread()) {
            commands.addOwn(command);
        } else if (put(command)) {
            sendNow(PEERS_OF_A_SENDER);
        }
        return !closed;
    }

    /**
     * Runs a command as {@link #send} does, and waits. Meanwhile the calling thread may read in the place of the I/O thread.
     * Not for a thread that has the turn.
     *
     * @param first the command; it runs even if the caller is interrupted or its time is over
     * @param timeoutNs counted from when the command has been handed over
     * @return true after {@link Waiter#end} or when the conductor has closed, false if the time is over
     */
    public boolean await(Runnable first, Waiter waiter, long timeoutNs) throws InterruptedException {
        if (!put(first)) {
            return true;
        }
        sendNow(Integer.MAX_VALUE);
        return waiters.await(waiter, timeoutNs);
    }

    /**
     * Runs an action in the next cycle of the I/O thread. What may open files or sockets, or block for a moment, goes this
     * way: in a thread of the program, an interrupt would close what it opens. Thread-safe. If the conductor has ended, the
     * action never runs.
     */
    public void later(Runnable action) {
        commands.addLater(action);
        wake();
    }

    /**
     * Calls an action in the next cycle of the I/O thread. Thread-safe.
     *
     * @return what it returns or throws; cancelled if the conductor ends first, or failed with the fault that ended it
     */
    public <T> CompletableFuture<T> later(Callable<T> action) {
        CompletableFuture<T> result = commands.addLater(action);
        wake();
        if (closed) {
            commands.endLater(endedBy);
        }
        return result;
    }

    /** Has the I/O thread run a cycle, because something that a duty looks at has changed. Thread-safe. */
    public void wake() {
        io.wake();
    }

    /** Returns whether transports are polled, because one of them cannot signal what arrives. Thread-safe. */
    public boolean isPolling() {
        return !selection.isTold();
    }

    /** Drives a transport from now on; it is closed with the conductor. */
    public void addTransport(Transport transport) {
        transports.add(transport);
        selection.add(transport);
    }

    /** Stops driving a transport and closes it, which may take a second; to be called by {@link #later}. */
    public void removeTransport(Transport transport) {
        if (transports.remove(transport)) {
            transport.close();
        }
    }

    public void addDuty(Duty duty) {
        exchange.duties.add(duty);
    }

    public void removeDuty(Duty duty) {
        exchange.duties.remove(duty);
    }

    /** Reads and flushes a link from now on, until it closes. */
    public Peer addPeer(Link link, Peer.Listener listener) {
        return exchange.add(link, listener);
    }

    /**
     * Runs cycles as long as the condition is true, which is asked before each one. The calling thread is the I/O thread.
     *
     * @throws Error what a cycle has thrown, in whichever thread: the conductor must be ended
     */
    public void run(BooleanSupplier goesOn) {
        while (goesOn.getAsBoolean()) {
            try {
                io.runOnce();
            } catch (RuntimeException e) {
                logFailure(e);
            } catch (Error e) {
                logFailure(e);
                throw e;
            }
        }
    }

    private void logFailure(Throwable thrown) {
        log().log(System.Logger.Level.ERROR, "A cycle of '" + name + "' has failed.", thrown);
    }

    /** Runs one cycle now, as the I/O thread does, unless the caller is inside of one; returns how much was done. */
    public int doWork() {
        return turn.isHeldByCurrentThread() ? 0 : io.runNow();
    }

    /** Throws the error after which no cycle may run, if there is one. */
    void requireSound() {
        Error thrown = broken;
        if (thrown != null) {
            throw thrown;
        }
    }

    /** Drives the transports; called by the I/O thread. */
    int drive() {
        int work = 0;
        for (int i = 0; i < transports.size(); i++) {
            work += transports.get(i).doWork();
        }
        bytesReadDriven = exchange.bytesRead;
        return work;
    }

    /** Returns the longest time until the next cycle. */
    long restNs() {
        return commands.hasOwn() ? 0 : exchange.restNs;
    }

    /** Runs commands, and the exchange of messages; called with the turn. */
    int exchange(long nowNs, Selection.@Nullable Ready found) {
        return commands.run() + exchange.run(nowNs, found);
    }

    /** Does the sending half of a cycle in the calling thread, or leaves it to the I/O thread. */
    private void sendNow(int mostPeers) {
        if (!turn.tryLock()) {
            wake();
        } else if (exchange.peers.size() > mostPeers) {
            turn.unlock();
            wake();
        } else {
            exchangeAndUnlock(Selection.Ready.NONE);
        }
    }

    /**
     * Adds a command.
     *
     * @throws StackOverflowError before anything has changed, if the program's recursion left too little for a cycle
     */
    private boolean put(Runnable command) {
        descend(FRAMES_OF_A_CYCLE, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
        return commands.put(command, this::isClosed);
    }

    /** Takes some 100 bytes of stack for each frame, because so many arguments do not fit into registers. */
    private static long descend(
            int frames, long a, long b, long c, long d, long e, long f, long g, long h, long i, long j, long k) {
        return frames == 0 ? a : b + descend(frames - 1, k, a, b, c, d, e, f, g, h, i, j);
    }

    /**
     * Exchanges messages in a thread that is not the I/O thread, which is woken if something is due before its next cycle.
     * Returns how much was done.
     */
    private int exchangeAndUnlock(Selection.@Nullable Ready found) {
        int work = 0;
        boolean isDone = false;
        try {
            if (!closed && broken == null) {
                long nowNs = clock.nanoTime();
                work = exchange(nowNs, found);
                for (int i = 1; i < CYCLES_OF_A_SENDER && (exchange.isFollowed || commands.hasOwn()); i++) {
                    work += exchange(nowNs, Selection.Ready.NONE);
                }
                isDone = nowNs + restNs() - io.dueNs() >= 0 && !commands.hasLater() && !isDrivingNeeded(found);
            }
        } catch (RuntimeException e) {
            logFailure(e);
        } catch (Error e) {
            fail(e);
        } finally {
            turn.unlock();
        }
        if (!isDone) {
            wake();
        }
        return work;
    }

    private boolean isDrivingNeeded(Selection.@Nullable Ready found) {
        boolean isRoomNeeded = exchange.isUnsent || exchange.bytesRead - bytesReadDriven > GREATEST_UNDRIVEN_BYTES;
        return (found != null && found.isDriveDue) || (isPolling() && isRoomNeeded);
    }

    /** Waits in the place of the I/O thread, and reads what is ready. Called by a waiting caller that has the place. */
    void readFor(Waiter waiter, long limitNs) throws InterruptedException {
        Selection.Ready found = null;
        if (!isPolling()) {
            found = readyForCaller;
            found.clear();
            selection.select(limitNs, () -> waiter.isOver() || closed || !selection.isLent(), found);
            if (found.isEmpty()) {
                return;
            }
        }
        boolean hasTurn = turn.tryLock(limitNs, TimeUnit.NANOSECONDS);
        if (hasTurn && exchangeAndUnlock(found) == 0 && found == null && !waiter.isOver()) {
            LockSupport.parkNanos(this, Math.min(limitNs, waiter.backoff.sleepNs(clock.nanoTime())));
        }
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Returns the command for a caller that waits for its effect. If it throws, the conductor ends, because otherwise the
     * caller would wait for ever.
     */
    public Runnable awaited(Runnable command) {
        return () -> {
            try {
                command.run();
            } catch (Throwable thrown) {
                fail(thrown);
                throw thrown;
            }
        };
    }

    /** Ends the conductor, because a thread failed in a way that it could not report to those who wait. Thread-safe. */
    public void fail(Throwable thrown) {
        if (broken == null) {
            broken = thrown instanceof Error error ? error : new AssertionError(thrown.toString(), thrown);
        }
        wake();
    }

    public void onClose() {
        end(null);
    }

    /** Ends the conductor after this error of the I/O thread, even if memory is short. */
    public void onFault(Throwable thrown) {
        Error first = broken;
        end(first == null ? thrown : first);
    }

    private void end(@Nullable Throwable fault) {
        endedBy = fault;
        try {
            Faults.untilMemorySuffices(ending);
        } finally {
            waiters.wakeAll();
        }
    }

    /**
     * Continues the end where the last try failed. The newest duties are first, so that a pool hears the cause before the
     * loss of its workers. If one runs out of memory, the others are still ended.
     *
     * @throws VirtualMachineError if a further try is needed
     */
    private void endNow() {
        turn.lock();
        try {
            closed = true;
            commands.run();
            finishDuties();
            for (; !exchange.peers.isEmpty(); exchange.peers.remove(0)) {
                closed(() -> exchange.peers.get(0).close("This process ends."));
            }
            waiters.wakeAll();
            for (; !transports.isEmpty(); transports.remove(0)) {
                closed(() -> transports.get(0).close());
            }
            selection.close();
        } finally {
            turn.unlock();
        }
    }

    private void finishDuties() {
        OutOfMemoryError missing = null;
        for (int i = exchange.duties.size() - 1; i >= 0; i--) {
            try {
                finish(exchange.duties.get(i));
                exchange.duties.remove(i);
            } catch (OutOfMemoryError e) {
                missing = e;
            }
        }
        try {
            commands.endLater(endedBy);
        } catch (OutOfMemoryError e) {
            missing = e;
        }
        if (missing != null) {
            throw missing;
        }
    }

    private void finish(Duty duty) {
        try {
            Throwable fault = endedBy;
            if (fault == null) {
                duty.onClose();
            } else {
                duty.onFault(fault);
            }
        } catch (OutOfMemoryError e) {
            throw e;
        } catch (Throwable e) {
            log().log(System.Logger.Level.ERROR, "A part of the conductor could not be ended.", e);
        }
    }

    private static void closed(Runnable part) {
        Faults.isolated(Conductor.class, "A part of the conductor could not be closed.", part);
    }

    /** Looked up when there is something to say, because the first use takes 10 to 50 ms. */
    private static System.Logger log() {
        return Logs.of(Conductor.class);
    }
}
