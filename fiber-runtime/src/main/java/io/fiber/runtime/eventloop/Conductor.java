// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.protocol.Encoders;
import io.fiber.runtime.protocol.HeapShare;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The I/O of a process: one thread at a time runs a cycle of it, in a master a thread of its own, in a worker mostly the
 * task thread between tasks. A cycle runs the commands of other threads, drives the transports, reads the peers, does
 * the duties, and sends what has been collected. All methods belong to the thread that runs the cycle, {@link #execute},
 * {@link #wake}, {@link #doWork}, {@link #send} and {@link #look} excepted.
 *
 * <p>A cycle that comes late (a garbage collection, SIGSTOP, a debugger) makes every lease longer by the delay: the peers
 * were not silent, this process was deaf.
 */
public final class Conductor {

    /**
     * For so long after a cycle that found nothing to do it is enough to look for frames, and after a drive to send without
     * another.
     */
    private static final long GREATEST_QUIET_NS = 4_000_000;

    /**
     * Shared memory gives a sender new room only when its transport is driven, here; a link's has room for 32 KiB at least.
     */
    private static final long GREATEST_READ_WITHOUT_DRIVING_BYTES = 16 << 10;

    /** So often in a lease there is a cycle, whatever happens; half of what would be taken for a late one. */
    private static final int CYCLES_OF_A_LEASE = 20;
    /** Transports are asked how to wait for them when nothing has happened for so long. */
    private static final long SILENCE_BEFORE_WAIT_NS = 20_000_000;
    /** So many cycles may pass until channels that were closed are let go. */
    private static final int CYCLES_OF_A_RELEASE = 256;

    private final String name;
    private final NanoClock clock;
    private final long leaseNs;
    private final Waiters waiters;
    private final ConductorIdle idle;
    private final Peer.Shared shared;
    private final CommandQueue commands = new CommandQueue(this);
    private final TransportWait wait = new TransportWait(() -> !commands.hasNoneOfOthers());
    private final ArrayDeque<Runnable> laterActions = new ArrayDeque<>();
    private final List<Transport> transports = new ArrayList<>();
    private final List<Peer> peers = new ArrayList<>();
    private final List<Duty> duties = new ArrayList<>();
    /** The same for loops, in which a list is five calls for each. */
    private Peer[] eachPeer = {};

    private Duty[] eachDuty = {};
    /** As of the last cycle, for a thread that idles while another one may be in the next. */
    private volatile Expected expected = Expected.NOTHING;

    private long lastCycleNs;
    /** The thread that closes this conductor keeps it. */
    private final Turn turn = new Turn();

    private volatile boolean closed;
    /** Made early: when it is needed there may be no memory to make it. */
    private final Runnable ending = this::endNow;
    /** What ends it, if that is a fault. */
    private @Nullable Throwable endedBy;

    /** What was thrown in the middle of a cycle: its work is half done, and no cycle follows. */
    private volatile @Nullable Error broken;

    /** Whether the last exchange left nothing that a transport has a part in. */
    private boolean settled;
    /** Whether it found nothing to do, too, and no duty waits for room that there is. */
    private boolean quiet;

    private volatile long lastExchangeNs;
    /** When a cycle has done something last. */
    private long lastWorkNs;

    private int cyclesSinceRelease;
    /** When the transports were driven last. */
    private long lastDrivenNs;

    /** Whether so much was read, or a thread that waits has so much unsent, that the transports should be driven. */
    private volatile boolean driveWanted;
    /** Whether a duty has something new to look at since the last exchange. */
    private volatile boolean called;

    private volatile boolean master;
    private volatile boolean networked;
    private volatile @Nullable Thread driver;
    private volatile boolean driverSleeps;
    private long bytesReadWithoutDriving;

    public Conductor(String name, NanoClock clock, Duration lease) {
        this.name = name;
        this.clock = clock;
        this.leaseNs = lease.toNanos();
        this.shared = new Peer.Shared(new Encoders(), HeapShare.ofHeap(), leaseNs);
        this.waiters = new Waiters(clock, this, wait);
        this.idle = new ConductorIdle(
                clock,
                () -> isNetworked() || !waiters.haveLeader() ? expected : Expected.NOTHING,
                wait,
                ConductorIdle.Rank.MAIN);
    }

    /** Returns how the thread that runs cycles most of the time idles, so that a command can wake it. */
    public ConductorIdle idleStrategy() {
        return idle;
    }

    /** Returns how a thread idles that runs cycles beside the one which idles by {@link #idleStrategy}; no command wakes it. */
    public ConductorIdle idleOfAnother() {
        return new ConductorIdle(clock, () -> expected, wait, ConductorIdle.Rank.STAND_BY);
    }

    /**
     * Runs a command in the next cycle, or in this one when the caller conducts. Blocks while more than some thousand
     * commands wait, a caller that conducts excepted.
     *
     * @return false when the conductor has closed: the command ran while it ended, or never will
     */
    public boolean execute(Runnable command) {
        if (turn.isMine()) {
            commands.addOwn(command);
        } else if (!commands.put(command)) {
            return false;
        }
        wake();
        return !closed;
    }

    /**
     * As {@link #execute}, but wakes no thread for it: for what may wait until the calling thread waits for something
     * else, or for the conductor's longest sleep.
     */
    public boolean executeWithNext(Runnable command) {
        if (turn.isMine() || !commands.offer(command)) {
            return execute(command);
        }
        wait.wakeOccupant();
        return !closed;
    }

    /**
     * Runs a command and waits until another thread or the conductor ends the wait, or has closed; returns false when time
     * is up. Meanwhile the calling thread, or one of several that wait, does the conductor's work, as far as it consists of
     * reading and writing memory: what it waits for arrives without a change of threads. Not for the conductor's own commands.
     *
     * @param first the command; it is run also when the wait ends early
     */
    public boolean await(Runnable first, Waiter waiter, long timeoutNs) throws InterruptedException {
        if (!commands.put(first)) {
            return true;
        }
        waiters.wakeLeader();
        if (isNetworked()) {
            LockSupport.unpark(driver);
        }
        try {
            return waiters.await(waiter, timeoutNs);
        } finally {
            if (waiters.owesLook()) {
                idle.wake();
            }
            if (!waiters.haveLeader()) {
                wait.leave();
            }
        }
    }

    /** Tells whether frames come over the network, and only when the transport is driven. */
    private boolean isNetworked() {
        return networked && !wait.isUsable();
    }

    /** Tells whether a thread waits in {@link #await} for something that comes when the transport is driven. */
    public boolean isWaitedForOverNetwork() {
        return isNetworked() && !waiters.isEmpty();
    }

    /** Unparks this thread from now on whenever a thread begins to wait for something that comes when the transport is driven. */
    public void drivenBy(Thread thread) {
        driver = thread;
    }

    /** The thread that stands by parks until {@link #callDriver}, or a second or so. Called by it; it must look once more then. */
    public void driverSleeps() {
        driverSleeps = true;
    }

    /** Wakes the thread that stands by, if it sleeps for long. Called by a thread that will not conduct for a while. */
    public void callDriver() {
        if (driverSleeps) {
            driverSleeps = false;
            LockSupport.unpark(driver);
        }
    }

    /** Tells whether a thread can wait until the transports have something. Any thread may ask. */
    public boolean canWait() {
        return aloneNs() != TransportWait.NONE;
    }

    /** Returns how long no cycle need follow the last one, if nothing comes; see {@link TransportWait#limitNs}. */
    long aloneNs() {
        return wait.limitNs();
    }

    /** Tells whether no thread has exchanged messages for so long. Any thread may ask. */
    public boolean isLeftAlone(long durationNs) {
        return clock.nanoTime() - lastExchangeNs > durationNs;
    }

    /**
     * Runs a cycle and idles after it, for a thread that conducts while no other one does. Returns false when another thread
     * has exchanged messages meanwhile.
     */
    public boolean standBy(ConductorIdle standing) {
        int done = doWork();
        long exchangedNs = lastExchangeNs;
        standing.idle(done);
        return lastExchangeNs == exchangedNs;
    }

    /**
     * Runs a command in the calling thread when the conductor sleeps, with all that it leads to, up to the frames that
     * leave: that spares the time which waking the conductor takes. Else, and for what follows, as {@link #execute}.
     */
    public boolean executeSoon(Runnable command) {
        if (!idle.isAsleep() || closed || !commands.offer(command)) {
            return execute(command);
        }
        if (turn.take()) {
            try {
                long nowNs = clock.nanoTime();
                forgiveDelay(nowNs);
                exchange(nowNs, false);
            } catch (Error e) {
                broken = e;
                throw e;
            } finally {
                turn.give();
            }
        }
        idle.wake();
        return !closed;
    }

    /**
     * Runs an action in a later cycle of the conductor's own thread. What may open files or sockets goes this way, because
     * a caller's thread that is interrupted would close them.
     */
    public void later(Runnable action) {
        laterActions.add(action);
        idle.wake();
        wait.wakeOccupant();
    }

    /**
     * Calls an action of another thread in a later cycle, as {@link #later} runs it. Any thread may call it.
     *
     * @return what it returns, or has thrown; when the conductor ends first, cancelled or with the fault that ended it
     */
    public <T> CompletableFuture<T> callLater(Callable<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        if (!execute(() -> later(new LaterCall<>(action, result)))) {
            result.cancel(false);
        }
        return result;
    }

    private record LaterCall<T>(Callable<T> action, CompletableFuture<T> result) implements Runnable {
        @Override
        public void run() {
            try {
                result.complete(action.call());
            } catch (Throwable e) {
                Faults.fail(result, e);
            }
        }
    }

    /** Makes sure that a cycle follows, because something that a duty looks at has changed. Any thread may call it. */
    public void wake() {
        called = true;
        if (!waiters.wakeLeader()) {
            idle.wake();
        }
        wait.wakeOccupant();
    }

    /** Drives a transport from now on; it is closed with the conductor. */
    public void addTransport(Transport transport) {
        transports.add(transport);
        wait.add(transport);
        master |= transports.size() > 1;
    }

    /** Tells whether this process is a worker that has become a master as well: it drives a second transport. */
    public boolean isAlsoMaster() {
        return master;
    }

    /** Stops driving a transport and closes it. */
    public void removeTransport(Transport transport) {
        if (transports.remove(transport)) {
            transport.close();
        }
    }

    public void addDuty(Duty duty) {
        duties.add(duty);
        eachDuty = duties.toArray(eachDuty);
    }

    public void removeDuty(Duty duty) {
        duties.remove(duty);
        eachDuty = duties.toArray(new Duty[0]);
    }

    /** Reads and flushes a link from now on, until it closes. */
    public Peer addPeer(Link link, Peer.Listener listener) {
        Peer peer = new Peer(link, listener, shared);
        peers.add(peer);
        eachPeer = peers.toArray(eachPeer);
        networked |= !link.isConfined();
        return peer;
    }

    public long nowNs() {
        return clock.nanoTime();
    }

    /** Begins, in the thread that is to run cycles. */
    public void onStart() {
        TimerSlack.makeSmall();
        lastCycleNs = clock.nanoTime();
        lastWorkNs = lastCycleNs;
    }

    /**
     * Runs one cycle, unless another thread is in one: then nothing is done and 0 returned. Whichever thread runs a cycle
     * is the conductor for that time; what one did is seen by the next.
     *
     * @throws Error what this cycle or an earlier one has thrown, in whichever thread: the conductor must be ended
     */
    public int doWork() {
        return conduct(false, false);
    }

    /**
     * As {@link #doWork}, but does not drive the transports if that was done some milliseconds ago and nothing calls for it. For
     * a thread that has something to send: a drive is eighty methods, which a fresh process interprets.
     */
    public int send() {
        return conduct(false, true);
    }

    /**
     * As {@link #doWork}, but only reads the peers if the last cycle, some milliseconds ago, found nothing to do and no
     * command or {@link #wake} has come since. For a thread that idles: a cycle is some hundred methods, which a fresh
     * process interprets.
     */
    public int look() {
        return conduct(true, false);
    }

    private int conduct(boolean mayOnlyLook, boolean mayNotDrive) {
        Error thrown = broken;
        if (thrown != null) {
            throw thrown;
        }
        if (!turn.take()) {
            return 0;
        }
        try {
            long nowNs = clock.nanoTime();
            forgiveDelay(nowNs);
            boolean mustDrive = mustDrive(nowNs);
            boolean onlyLooks = mayOnlyLook && !mustDrive && isQuiet(nowNs);
            boolean drives = mustDrive || !(onlyLooks || mayNotDrive);
            while (true) {
                int work = cycle(nowNs, drives, onlyLooks);
                if (work > 0 || drives || !wait.isUnexplained()) {
                    return work;
                }
                drives = true;
                onlyLooks = false;
            }
        } catch (Error e) {
            broken = e;
            throw e;
        } finally {
            turn.give();
        }
    }

    /** Else frames come and leave without their transport, in memory or in a socket that is read and written at once. */
    private boolean mustDrive(long nowNs) {
        return driveWanted
                || !settled
                || isNetworked()
                || nowNs - lastDrivenNs >= GREATEST_QUIET_NS
                || !laterActions.isEmpty();
    }

    /** Tells whether nothing but frames of peers is a reason for a full exchange. */
    private boolean isQuiet(long nowNs) {
        return quiet && !called && nowNs - lastExchangeNs < GREATEST_QUIET_NS && commands.isEmpty();
    }

    /**
     * Drives the transports, exchanges messages, or only looks. It has one caller and calls {@link #exchange} in one place,
     * because the JIT compiler copies both into each place: that took a fresh process half a second.
     */
    private int cycle(long nowNs, boolean drives, boolean onlyLooks) {
        int work = drives ? drive(nowNs) : 0;
        work += exchange(nowNs, onlyLooks);
        if (!onlyLooks) {
            prepareWait(nowNs, work);
            idle.looked(eachPeer.length, work, nowNs);
        }
        return work;
    }

    private int drive(long nowNs) {
        lastDrivenNs = nowNs;
        driveWanted = false;
        int work = 0;
        for (Runnable action = laterActions.poll(); action != null; action = laterActions.poll()) {
            run(action);
            work++;
        }
        for (int i = 0; i < transports.size(); i++) {
            work += transports.get(i).doWork();
        }
        if (work > 0) {
            wait.explained();
        }
        bytesReadWithoutDriving = 0;
        return work;
    }

    private void prepareWait(long nowNs, int work) {
        if (work > 0) {
            lastWorkNs = nowNs;
        } else if (!wait.isUsable() && nowNs - lastWorkNs > SILENCE_BEFORE_WAIT_NS && !transports.isEmpty()) {
            wait.askOnce(transports);
            wait.leaveAlone(aloneNs(nowNs));
        }
        if (++cyclesSinceRelease > CYCLES_OF_A_RELEASE) {
            cyclesSinceRelease = 0;
            wait.release(idle);
        }
    }

    /** Returns how long nothing is due but what transports and other threads tell. */
    private long aloneNs(long nowNs) {
        if (!wait.isUsable() || !laterActions.isEmpty()) {
            return TransportWait.NONE;
        }
        boolean isTimed = false;
        for (Duty duty : eachDuty) {
            if (duty.wantsEveryCycle()) {
                return TransportWait.NONE;
            }
            isTimed |= duty.isTimed();
        }
        long leastNs = leaseNs / CYCLES_OF_A_LEASE;
        Peer[] each = eachPeer;
        for (int i = 0; i < each.length && !isTimed; i++) {
            isTimed = each[i].isClosed() || !each[i].isFlushed();
            leastNs = Math.min(leastNs, each[i].restNs(nowNs));
        }
        return isTimed ? TransportWait.TIMED : Math.max(leastNs, TransportWait.TIMED + 1);
    }

    /**
     * Everything of a cycle but the driving of the transports: memory is read and written, nothing is opened.
     *
     * @param onlyLooks whether that is all when no peer has said anything
     */
    private int exchange(long nowNs, boolean onlyLooks) {
        int work = onlyLooks ? 0 : beginExchange(nowNs);
        int heard = hear(nowNs);
        if (onlyLooks) {
            if (heard == 0) {
                return 0;
            }
            work += beginExchange(nowNs);
        }
        Duty[] each = eachDuty;
        for (int i = each.length - 1; i >= 0; i--) {
            work += each[i].doWork(nowNs);
        }
        // What a full cycle has read is followed by another one, whose length tells how to rest.
        boolean isDone = work == 0 && (onlyLooks || heard == 0);
        work += heard;
        for (Peer peer : eachPeer) {
            work += peer.send(nowNs);
        }
        noteState(isDone);
        if (wait.isUsable()) {
            // What was read may have left frames behind that no channel tells of.
            wait.leaveAlone(work > 0 ? Math.min(TransportWait.TIMED, aloneNs(nowNs)) : aloneNs(nowNs));
        }
        return work;
    }

    private int beginExchange(long nowNs) {
        if (called) {
            // Read first: what was changed before the call is seen below.
            called = false;
        }
        lastExchangeNs = nowNs;
        return runCommands();
    }

    private int hear(long nowNs) {
        int heard = 0;
        int closedPeers = 0;
        Peer[] each = eachPeer;
        for (int i = each.length - 1; i >= 0; i--) {
            Peer peer = each[i];
            heard += receive(peer, nowNs);
            if (peer.isClosed()) {
                peers.remove(peer);
                closedPeers++;
            }
        }
        if (closedPeers > 0) {
            eachPeer = peers.toArray(new Peer[0]);
        }
        return heard + closedPeers;
    }

    private int receive(Peer peer, long nowNs) {
        int work = peer.receive(nowNs);
        if (work > 0 || peer.wasHeardAt(nowNs)) {
            wait.explained();
        }
        if (work > 0) {
            bytesReadWithoutDriving += peer.takeBytesRead();
            if (bytesReadWithoutDriving > GREATEST_READ_WITHOUT_DRIVING_BYTES && !wait.isUsable()) {
                driveWanted = true;
            }
        }
        return work;
    }

    private void noteState(boolean isDone) {
        boolean isSettled = true;
        boolean hasRoomAgain = false;
        Peer[] each = eachPeer;
        for (int i = 0; i < each.length && isSettled; i++) {
            isSettled = each[i].isSettled();
            hasRoomAgain |= each[i].hasRoomAgain();
        }
        Expected most = Expected.NOTHING;
        for (Duty duty : eachDuty) {
            most = most.or(duty.expected());
            isSettled &= !duty.wantsEveryCycle();
        }
        settled = isSettled;
        quiet = isDone && isSettled && !hasRoomAgain;
        if (most != expected) {
            expected = most;
        }
    }

    /**
     * What a waiting thread does, unless another thread conducts: reads and writes what there is. Whenever the
     * transports should be driven the conductor's own thread is woken.
     */
    int exchangeForWaiter() {
        if (!turn.take()) {
            return 0;
        }
        int work = 0;
        boolean undriven = true;
        try {
            long nowNs = clock.nanoTime();
            forgiveDelay(nowNs);
            boolean onlyLooks = isQuiet(nowNs) && !isNetworked();
            work = exchange(nowNs, onlyLooks);
            // Nothing waited before a look: what is quiet is settled.
            boolean isFlushed = (onlyLooks && work == 0) || areFlushed();
            undriven = driveWanted || !isFlushed || wait.isUnexplained();
        } catch (RuntimeException e) {
            log().log(System.Logger.Level.ERROR, "A cycle of the I/O thread has failed.", e);
        } catch (Error e) {
            fail(e);
        } finally {
            turn.give();
        }
        if (undriven) {
            driveWanted = true;
            idle.wake();
            callDriver();
        }
        return work;
    }

    Expected expectedByWaiter() {
        return expected == Expected.NOTHING ? Expected.NOTHING : Expected.ANSWER;
    }

    boolean isClosed() {
        return closed;
    }

    private boolean areFlushed() {
        for (Peer peer : eachPeer) {
            if (!peer.isFlushed()) {
                return false;
            }
        }
        return true;
    }

    /** A late cycle is no silence of the peers. What a lease's tenth or less costs is noise. */
    private void forgiveDelay(long nowNs) {
        long delayNs = nowNs - lastCycleNs;
        lastCycleNs = nowNs;
        if (delayNs > leaseNs / 10) {
            for (Peer peer : eachPeer) {
                peer.extendLease(delayNs);
            }
        }
    }

    private int runCommands() {
        int count = 0;
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            run(command);
            count++;
        }
        if (count > 0) {
            commands.wakeWriters();
        }
        return count;
    }

    /**
     * Returns the command for a caller that waits for its effect. If the command throws, the conductor ends, and with it every
     * wait; nothing else would tell the caller.
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

    private static void run(Runnable command) {
        Faults.conducted(Conductor.class, "A command of the conductor failed.", command);
    }

    /**
     * Ends the conductor, because another thread of its process met what it could not tell anything that waits for it. Any
     * thread may call it.
     */
    public void fail(Throwable thrown) {
        if (broken == null) {
            broken = thrown instanceof Error error ? error : new AssertionError(thrown.toString(), thrown);
        }
        idle.wake();
        wait.wakeOccupant();
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
     * @throws VirtualMachineError when a further try is needed
     */
    private void endNow() {
        turn.await();
        closed = true;
        runCommands();
        OutOfMemoryError missing = null;
        for (int i = duties.size() - 1; i >= 0; i--) {
            try {
                finish(duties.get(i));
                duties.remove(i);
            } catch (OutOfMemoryError e) {
                missing = e;
            }
        }
        try {
            endLaterCalls();
        } catch (OutOfMemoryError e) {
            missing = e;
        }
        if (missing != null) {
            throw missing;
        }
        for (; !peers.isEmpty(); peers.remove(0)) {
            closed(() -> peers.get(0).close("This process ends."));
        }
        waiters.wakeAll();
        for (; !transports.isEmpty(); transports.remove(0)) {
            closed(() -> transports.get(0).close());
        }
        wait.close();
    }

    private void endLaterCalls() {
        Throwable fault = endedBy;
        for (; !laterActions.isEmpty(); laterActions.remove()) {
            if (laterActions.element() instanceof LaterCall<?> call) {
                if (fault == null) {
                    call.result().cancel(false);
                } else {
                    call.result().completeExceptionally(fault);
                }
            }
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

    public String roleName() {
        return name;
    }

    /** Looked up when there is something to say, because the first look-up takes a JVM 10 to 50 ms. */
    private static System.Logger log() {
        return Logs.of(Conductor.class);
    }
}
