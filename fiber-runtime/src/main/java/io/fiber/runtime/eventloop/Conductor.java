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
 * #send}, {@link #await}, {@link #later} and {@link #wake}. All other methods belong to the thread that has the turn, that
 * is, to commands, duties and listeners of peers. The description of the package says which thread runs what.
 *
 * <p>If a cycle comes late (a garbage collection, SIGSTOP, a debugger), every lease is extended by the delay: the peers
 * were not silent, this process did not run.
 */
public final class Conductor {

    /** How many cycles another thread runs for what follows from its command, before it leaves that to the I/O thread. */
    private static final int CYCLES_OF_ANOTHER = 3;
    /** Shared memory gives a sender new room only when its transport is driven; a link has room for at least twice this. */
    private static final long GREATEST_UNDRIVEN_BYTES = 16 << 10;

    private final String name;
    private final NanoClock clock;
    private final Selection selection = new Selection();
    private final IoThread io;
    final Waiters waiters;
    final Commands commands = new Commands();

    /** Guards the exchange, the transports, and what only the thread that has it adds to the commands. */
    final ReentrantLock turn = new ReentrantLock();

    final Exchange exchange;
    private final List<Transport> transports = new ArrayList<>();
    private long bytesReadDriven;

    // Of the caller that reads in the place of the I/O thread.
    private final Selection.Ready readyForCaller = new Selection.Ready();
    private final Backoff backoffOfCaller = new Backoff();
    private @Nullable Waiter reader;

    private volatile boolean closed;
    /** What was thrown in the middle of a cycle: its work is half done, and no cycle follows. */
    private volatile @Nullable Error broken;

    /** Made early: when it is needed there may be no memory to make it. */
    private final Runnable ending = this::endNow;
    /** What ends it, if that is a fault. */
    private volatile @Nullable Throwable endedBy;

    public Conductor(String name, NanoClock clock, Duration lease) {
        this.name = name;
        this.clock = clock;
        this.waiters = new Waiters(clock, this, selection);
        this.exchange = new Exchange(lease, clock.nanoTime());
        this.io = new IoThread(this, selection);
    }

    public String roleName() {
        return name;
    }

    public long nowNs() {
        return clock.nanoTime();
    }

    /**
     * Runs a command in the next cycle, or in this one if the caller has the turn. Blocks while more than some thousand
     * commands wait, unless the caller has the turn.
     *
     * @return false if the conductor has closed: the command ran while it ended, or never will
     */
    public boolean execute(Runnable command) {
        if (turn.isHeldByCurrentThread()) {
            commands.addOwn(command);
        } else if (commands.put(command, this::isClosed)) {
            wake();
        }
        return !closed;
    }

    /**
     * Runs a command in the calling thread, with what follows from it up to the frames that leave, unless another thread
     * has the turn; then it does what {@link #execute} does.
     */
    public boolean send(Runnable command) {
        if (turn.isHeldByCurrentThread()) {
            commands.addOwn(command);
        } else if (commands.put(command, this::isClosed)) {
            sendNow();
        }
        return !closed;
    }

    /**
     * Runs a command as {@link #send} does, and waits until {@link Waiter#end}, or the conductor has closed; returns false
     * if the time has passed. Meanwhile the calling thread may read in the place of the I/O thread. Not for a thread that
     * has the turn.
     *
     * @param first the command; it is run even if the wait ends early
     */
    public boolean await(Runnable first, Waiter waiter, long timeoutNs) throws InterruptedException {
        if (!commands.put(first, this::isClosed)) {
            return true;
        }
        sendNow();
        return waiters.await(waiter, timeoutNs);
    }

    /**
     * Runs an action in the next cycle of the I/O thread. What may open files or sockets, or block for a moment, goes this
     * way: an interrupt of another thread would close what it opens. Thread-safe.
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
        log().log(System.Logger.Level.ERROR, "A cycle of the I/O thread '" + name + "' has failed.", thrown);
    }

    /** Runs a cycle as the I/O thread does, without a rest before it, and none inside of another; returns how much was done. */
    public int doWork() {
        return turn.isHeldByCurrentThread() ? 0 : io.runNow();
    }

    /** Throws what has ended the conductor, if anything has. */
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

    /** Returns how long no cycle need follow the last one, if nothing comes. */
    long restNs() {
        return commands.hasOwn() ? 0 : exchange.restNs;
    }

    /** Runs commands, and the exchange of messages; called with the turn. */
    int exchange(long nowNs, Selection.@Nullable Ready found) {
        return commands.run() + exchange.run(nowNs, found);
    }

    /** Does the sending half of a cycle in the calling thread, unless another one has the turn. */
    private void sendNow() {
        if (turn.tryLock()) {
            exchangeAndUnlock(Selection.Ready.NONE);
        } else {
            wake();
        }
    }

    /**
     * Exchanges messages in a thread that is not the I/O thread, which is woken if something is left to do before it wakes
     * by itself. Returns how much was done.
     */
    private int exchangeAndUnlock(Selection.@Nullable Ready found) {
        int work = 0;
        boolean isDone = false;
        try {
            if (!closed && broken == null) {
                long nowNs = clock.nanoTime();
                exchange.begin(nowNs);
                work = exchange(nowNs, found);
                for (int i = 1; i < CYCLES_OF_ANOTHER && restNs() == 0; i++) {
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
    @SuppressWarnings("ReferenceEquality") // whether it is the same one
    void readFor(Waiter waiter, long limitNs) throws InterruptedException {
        Selection.Ready found = null;
        if (!isPolling()) {
            found = readyForCaller;
            found.clear();
            selection.select(limitNs, () -> waiter.isOver() || closed || !selection.isLent(), found);
            if (found.isEmpty()) {
                return;
            }
        } else if (reader != waiter) {
            reader = waiter;
            backoffOfCaller.reset();
        }
        boolean hasTurn = turn.tryLock(limitNs, TimeUnit.NANOSECONDS);
        if (hasTurn && exchangeAndUnlock(found) == 0 && found == null && !waiter.isOver()) {
            LockSupport.parkNanos(this, Math.min(limitNs, backoffOfCaller.sleepNs(clock.nanoTime())));
        }
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Returns the command for a caller that waits for its effect. If the command throws, the conductor ends, and with it
     * every wait; nothing else would tell the caller.
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

    /**
     * Ends the conductor, because another thread of its process met what it could not tell anything that waits for it.
     * Thread-safe.
     */
    public void fail(Throwable thrown) {
        if (broken == null) {
            broken = thrown instanceof Error error ? error : new AssertionError(thrown.toString(), thrown);
        }
        wake();
    }

    public void onClose() {
        end(null);
    }

    /** Ends it because its thread has died of this. Does what it can where no memory is left. */
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
     * Does what has not been done of the end. What was added last is told first: a pool hears why before its workers end
     * by it. A duty that has no memory for it now keeps no other from its end.
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

    /** Looked up when there is something to say, because the first look-up takes a JVM 10 to 50 ms. */
    private static System.Logger log() {
        return Logs.of(Conductor.class);
    }
}
