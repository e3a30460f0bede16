// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.simulation;

import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.ObjectAddress;
import io.fiber.runtime.rpc.Reply;
import io.fiber.runtime.shared.machines.VirtualQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Processes that share a queue and a lock over a network that delays, fills and breaks, while some of them die, the host of
 * the queue or the lock perhaps too. After each cycle of a host its promises are checked, and in the end everybody knows.
 */
final class SharedSimulation {

    private static final long SECOND_NS = 1_000_000_000L;
    /** Below the lease, also together with what went wrong just before. */
    private static final long SHORT_NS = 8 * SECOND_NS;

    private static final long SHORT_PAUSE_NS = 25 * SECOND_NS;
    private static final long LONG_NS = 90 * SECOND_NS;
    private static final long LAST_LIMIT_NS = 600 * SECOND_NS;
    private static final int GREATEST_PROCESSES = 40;

    private final World world;
    private final SimulatedNetwork network;
    private final LogWatch log;
    private final boolean isMild;
    private final SharedProcess root;
    private final List<SharedProcess> workers = new ArrayList<>();
    private final List<SharedThread> threads = new ArrayList<>();
    private final WatchedQueue watchedQueue;
    private final WatchedLock watchedLock;
    private final SharedProcess queueHost;
    private final SharedProcess lockHost;
    private final ObjectAddress queue;
    private final ObjectAddress lock;
    private final Set<SharedItem> held = new HashSet<>();
    private final Map<SharedItem, ProcessPath> receivers = new HashMap<>();
    private final Set<ProcessPath> gone = new HashSet<>();
    private int hired;
    private boolean closing;
    private boolean ended;

    SharedSimulation(World world, LogWatch log) {
        this.world = world;
        this.log = log;
        this.network = new SimulatedNetwork(world, world.chance(0.5));
        this.isMild = world.chance(0.3);
        this.root = new SharedProcess(world, ProcessPath.root());
        network.onNewsForMaster(root::news);
        watchedQueue = new WatchedQueue(world, world.random().nextInt(1, 20));
        watchedLock = new WatchedLock(world);
        int count = world.random().nextInt(1, 7);
        for (int i = 0; i < count; i++) {
            hire();
        }
        queueHost = world.chance(0.7) ? root : workers.get(0);
        lockHost = world.chance(0.7) ? root : workers.get(0);
        queue = queueHost.router().host(watchedQueue);
        lock = lockHost.router().host(watchedLock);
        queueHost.afterEachCycle(this::check);
        lockHost.afterEachCycle(this::check);
        threads.add(new SharedThread(world, this, root, 0));
        world.tell(() -> count + " processes, the queue in " + queueHost.path() + ", the lock in " + lockHost.path()
                + (isMild ? ", mild" : ", rough"));
    }

    private void hire() {
        SharedProcess worker = root.hire(++hired, network, this::gone);
        workers.add(worker);
        int count = world.random().nextInt(1, 3);
        for (int i = 1; i <= count; i++) {
            threads.add(new SharedThread(world, this, worker, 2 * hired + i));
        }
    }

    /** The root counts a process as gone: it waits for it no more. */
    private void gone(SharedProcess worker, String how) {
        world.require(
                !isMild || ended, () -> worker.path() + " is gone, and nothing lasted as long as a lease: " + how);
        world.tell(() -> worker.path() + " is gone: " + how);
        gone.add(worker.path());
        workers.remove(worker);
        if (!closing && hired < GREATEST_PROCESSES && world.chance(0.7)) {
            world.later(world.between(0, 5 * SECOND_NS), this::hire);
        }
    }

    ObjectAddress queue() {
        return queue;
    }

    ObjectAddress lock() {
        return lock;
    }

    /** Tells whether threads are to take what is left, and end. */
    boolean isClosing() {
        return closing;
    }

    /** A writer was told that the queue has its item. */
    void held(SharedItem item) {
        held.add(item);
    }

    /**
     * A reader has an item: one that was received before only when that reader counts as gone. One that counts as gone
     * itself may hear late what it was given before.
     */
    void received(SharedItem item, SharedProcess reader) {
        if (gone.contains(reader.path())) {
            return;
        }
        ProcessPath before = receivers.put(item, reader.path());
        world.require(
                before == null || gone.contains(before),
                () -> reader.path() + " receives " + item + ", which " + before + " has received and lives");
    }

    private void check() {
        watchedQueue.check();
        watchedLock.check();
        String error = log.takeError();
        world.require(error == null, () -> "the log has an error: " + error);
    }

    /** Runs until everybody has ended. */
    void run() {
        try {
            world.later(world.between(SECOND_NS, 30 * SECOND_NS), this::next);
            world.later(world.between(SECOND_NS, 60 * SECOND_NS), this::close);
            while (!closing) {
                world.require(world.step(), () -> "nothing happens any more");
            }
            long limitNs = world.ageNs() + LAST_LIMIT_NS;
            while (!isOver()) {
                world.require(
                        world.step() && world.ageNs() < limitNs,
                        () -> "it does not end: "
                                + threads.stream()
                                        .filter(thread -> !thread.isOver())
                                        .toList());
            }
            checkEnd();
            ended = true;
            root.close();
            network.checkEnd();
        } catch (RuntimeException e) {
            throw world.broken("an exception: " + e, e);
        }
    }

    private void close() {
        world.tell(() -> "the queue is closed");
        closing = true;
        root.router()
                .call(
                        queue,
                        VirtualQueue.close(),
                        reply -> world.require(
                                reply instanceof Reply.Answer || isLost(queueHost),
                                () -> "the queue does not close: " + reply));
        root.news();
    }

    private boolean isOver() {
        return threads.stream().allMatch(SharedThread::isOver)
                && (isLost(queueHost) || watchedQueue.isEmpty())
                && (isLost(lockHost) || watchedLock.isEmpty());
    }

    private boolean isLost(SharedProcess host) {
        return host.life().isOver() || gone.contains(host.path());
    }

    private void checkEnd() {
        if (!isLost(queueHost)) {
            for (SharedItem item : held) {
                world.require(watchedQueue.isDone(item), () -> item + " was put, and nobody has done it");
            }
        }
    }

    private void next() {
        if (closing) {
            return;
        }
        if (isMild) {
            mild();
            world.later(SHORT_PAUSE_NS, this::next);
        } else {
            rough();
            world.later(world.between(SECOND_NS / 10, 10 * SECOND_NS), this::next);
        }
    }

    private void mild() {
        long forNs = world.between(SECOND_NS / 100, SHORT_NS);
        switch (world.random().nextInt(4)) {
            case 0 -> some("cut off", forNs).forEach(worker -> wire(worker).cut(forNs));
            case 1 -> fill(forNs);
            case 2 -> some("stopped", forNs).forEach(worker -> worker.life().stop(forNs));
            default -> {
                tell(root, "stopped", forNs);
                root.life().stop(forNs);
            }
        }
    }

    private void rough() {
        long forNs = world.between(SECOND_NS / 100, world.chance(0.5) ? SHORT_NS : LONG_NS);
        switch (world.random().nextInt(6)) {
            case 0 -> some("cut off", forNs).forEach(worker -> wire(worker).cut(forNs));
            case 1 ->
                some("deaf", forNs).forEach(worker -> wire(worker).worker().deafen(forNs));
            case 2 ->
                some("not heard", forNs).forEach(worker -> wire(worker).master().deafen(forNs));
            case 3 -> some("stopped", forNs).forEach(worker -> worker.life().stop(forNs));
            case 4 -> fill(Math.min(forNs, SHORT_NS));
            default -> some().forEach(worker -> worker.die(network, "killed"));
        }
    }

    private void fill(long forNs) {
        for (SharedProcess worker : some("not sent to, and sends nothing,", forNs)) {
            wire(worker).master().fill(forNs);
            wire(worker).worker().fill(forNs);
        }
    }

    private List<SharedProcess> some(String what, long forNs) {
        List<SharedProcess> chosen = some();
        chosen.forEach(worker -> tell(worker, what, forNs));
        return chosen;
    }

    private void tell(SharedProcess process, String what, long forNs) {
        world.tell(() -> process.path() + " is " + what + " for " + forNs / 1_000_000 + " ms");
    }

    private static Wire wire(SharedProcess worker) {
        return java.util.Objects.requireNonNull(worker.wire());
    }

    private List<SharedProcess> some() {
        List<SharedProcess> chosen = new ArrayList<>();
        for (SharedProcess worker : workers) {
            if (!worker.life().isOver() && world.chance(0.3)) {
                chosen.add(worker);
            }
        }
        return chosen;
    }

    String story() {
        return world.story();
    }
}
