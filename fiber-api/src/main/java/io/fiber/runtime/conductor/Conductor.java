// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.conductor;

import io.fiber.runtime.wire.Encoders;
import io.fiber.spi.transport.Link;
import io.fiber.spi.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentArrayQueue;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * The I/O thread's agent. A cycle runs the commands of other threads, drives the transports, reads the peers, does the
 * duties, and sends what has been collected. All methods belong to the conductor's thread, {@link #execute} and
 * {@link #wake} excepted.
 *
 * <p>A cycle that comes late (a garbage collection, SIGSTOP, a debugger) makes every lease longer by the delay: the peers
 * were not silent, this process was deaf.
 */
public final class Conductor implements Agent {

    private static final System.Logger LOG = System.getLogger(Conductor.class.getName());
    private static final int COMMANDS = 1 << 14;
    private static final long FULL_QUEUE_PARK_NS = 50_000;

    private final String name;
    private final NanoClock clock;
    private final long leaseNs;
    private final ConductorIdle idle;
    private final Encoders encoders = new Encoders();
    private final ManyToOneConcurrentArrayQueue<Runnable> commands = new ManyToOneConcurrentArrayQueue<>(COMMANDS);
    private final List<Transport> transports = new ArrayList<>();
    private final List<Peer> peers = new ArrayList<>();
    private final List<Duty> duties = new ArrayList<>();
    private @Nullable Thread thread;
    private long lastCycleNs;
    private volatile boolean closed;

    /** Creates the conductor of a process. */
    public Conductor(String name, NanoClock clock, Duration lease) {
        this.name = name;
        this.clock = clock;
        this.leaseNs = lease.toNanos();
        this.idle = new ConductorIdle(clock);
    }

    /** Returns how the thread that runs this agent idles, so that a command can wake it. */
    public ConductorIdle idleStrategy() {
        return idle;
    }

    /**
     * Runs a command in the next cycle. Blocks while more than some thousand commands wait.
     *
     * @return false when the conductor has closed and the command will never run
     */
    public boolean execute(Runnable command) {
        while (!commands.offer(command)) {
            if (closed) {
                return false;
            }
            idle.wake();
            LockSupport.parkNanos(FULL_QUEUE_PARK_NS);
        }
        idle.wake();
        return !closed;
    }

    /** Makes sure that a cycle follows, because something that a duty looks at has changed. Any thread may call it. */
    public void wake() {
        idle.wake();
    }

    /** Tells whether the calling thread is the conductor's. */
    public boolean isCurrentThread() {
        return Thread.currentThread() == thread;
    }

    /** Drives a transport from now on; it is closed with the conductor. */
    public void addTransport(Transport transport) {
        transports.add(transport);
    }

    /** Stops driving a transport and closes it. */
    public void removeTransport(Transport transport) {
        if (transports.remove(transport)) {
            transport.close();
        }
    }

    /** Adds a duty. */
    public void addDuty(Duty duty) {
        duties.add(duty);
    }

    /** Removes a duty. */
    public void removeDuty(Duty duty) {
        duties.remove(duty);
    }

    /** Reads and flushes a link from now on, until it closes. */
    public Peer addPeer(Link link, Peer.Listener listener) {
        Peer peer = new Peer(link, listener, encoders, leaseNs);
        peers.add(peer);
        return peer;
    }

    /** Returns the time as this conductor sees it. */
    public long nowNs() {
        return clock.nanoTime();
    }

    @Override
    public void onStart() {
        thread = Thread.currentThread();
        idle.owner(Thread.currentThread());
        lastCycleNs = clock.nanoTime();
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        forgiveDelay(nowNs);
        int work = runCommands();
        for (int i = 0; i < transports.size(); i++) {
            work += transports.get(i).doWork();
        }
        for (int i = peers.size() - 1; i >= 0; i--) {
            work += peers.get(i).receive(nowNs);
            if (peers.get(i).isClosed()) {
                peers.remove(i);
                work++;
            }
        }
        for (int i = duties.size() - 1; i >= 0; i--) {
            work += duties.get(i).doWork(nowNs);
        }
        for (int i = 0; i < peers.size(); i++) {
            work += peers.get(i).send(nowNs);
        }
        return work;
    }

    /**
     * A late cycle is no silence of the peers. What a lease's tenth or less costs is noise.
     */
    private void forgiveDelay(long nowNs) {
        long delayNs = nowNs - lastCycleNs;
        lastCycleNs = nowNs;
        if (delayNs > leaseNs / 10) {
            for (int i = 0; i < peers.size(); i++) {
                peers.get(i).extendLease(delayNs);
            }
        }
    }

    private int runCommands() {
        int count = 0;
        for (Runnable command = commands.poll(); command != null; command = commands.poll()) {
            run(command);
            count++;
        }
        return count;
    }

    private static void run(Runnable command) {
        try {
            command.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "A command of the conductor failed.", e);
        }
    }

    @Override
    public void onClose() {
        closed = true;
        runCommands();
        List.copyOf(duties).forEach(duty -> run(duty::onClose));
        for (Peer peer : peers) {
            peer.close("This process ends.");
        }
        peers.clear();
        transports.forEach(Transport::close);
        transports.clear();
    }

    @Override
    public String roleName() {
        return name;
    }
}
