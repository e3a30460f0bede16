// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fiber.ConnectedManager;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberQueue;
import io.fiber.ManagedList;
import io.fiber.ManagedLock;
import io.fiber.ManagedMap;
import io.fiber.Manager;
import io.fiber.ManagerEndpoint;
import io.fiber.RemoteTaskException;
import io.fiber.tck.fault.Interrupt;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Programs that are no part of any session: each connects to a manager by the file that is its second argument. */
@SuppressWarnings("LockNotBeforeTry") // single steps are what is tested
final class GuestPrograms {

    private GuestPrograms() {}

    /** An object of the program's own behind a manager. */
    interface Office {
        /** Returns how many threads its process has. */
        int threads();

        /** Returns a new list of a name; the same at each call. */
        ManagedList<String> list(String name);

        /** Throws. */
        void fail(String why);
    }

    /** Gives out lists that are hosted beside it. */
    record Clerk(ManagedMap<String, ManagedList<String>> lists) implements Office {
        @Override
        public int threads() {
            return Thread.getAllStackTraces().size();
        }

        @Override
        public ManagedList<String> list(String name) {
            return requireNonNull(lists.get(name));
        }

        @Override
        public void fail(String why) {
            throw new IllegalStateException(why);
        }
    }

    public static void main(String[] args) throws Exception {
        Path file = Path.of(args[1]);
        switch (args[0]) {
            case "use" -> use(ManagerEndpoint.load(file));
            case "hold" -> hold(ManagerEndpoint.load(file));
            case "wait" -> waitForLock(ManagerEndpoint.load(file));
            case "block" -> block(ManagerEndpoint.load(file), Integer.parseInt(args[2]));
            case "host" -> host(file);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Connects, and has patience with a busy machine. */
    static ConnectedManager connect(ManagerEndpoint endpoint) {
        return Manager.connect(endpoint, Duration.ofMinutes(1));
    }

    private static void use(ManagerEndpoint endpoint) {
        try (ConnectedManager manager = connect(endpoint)) {
            ManagedMap<String, Integer> counts = manager.find("counts", ManagedMap.class);
            ManagedLock lock = manager.find("lock", ManagedLock.class);
            for (int i = 0; i < 30; i++) {
                lock.lock();
                counts.put("sum", counts.getOrDefault("sum", 0) + 1);
                lock.unlock();
            }
            counts.merge("guest", 5, Integer::sum);
            ManagedMap<String, ManagedList<String>> lists = manager.find("lists", ManagedMap.class);
            requireNonNull(lists.get("inner")).add("from outside");
            Office office = manager.find("office", Office.class);
            office.list("inner").add("through an object");
            ManagedList<Long> own = manager.list(List.of(ProcessHandle.current().pid()));
            lists.put("inner of guest", manager.list(List.of("made outside")));
            manager.publish("guest's", own);
            FiberQueue<String> queue = manager.find("queue", FiberQueue.class);
            queue.put(queue.take() + " and back");
            try {
                office.fail("on purpose");
            } catch (RemoteTaskException e) {
                System.out.println("thrown " + requireNonNull(e.getCause()).getMessage());
            }
        }
        awaitNoThreads();
        System.out.println("left nothing");
    }

    /** Waits until no thread is left by which a program is a guest, or has any. */
    static void awaitNoThreads() {
        await().atMost(LocalFiber.LIMIT)
                .untilAsserted(() -> assertThat(threadsOfFiber()).isEmpty());
    }

    private static List<String> threadsOfFiber() {
        List<String> names = new ArrayList<>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("fiber-client")) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    private static void hold(ManagerEndpoint endpoint) throws InterruptedException {
        ConnectedManager manager = connect(endpoint);
        ManagedLock lock = manager.find("lock", ManagedLock.class);
        lock.lock();
        System.out.println("holds " + lock.epoch());
        LocalFiber.last(Duration.ofMinutes(5));
    }

    private static void waitForLock(ManagerEndpoint endpoint) {
        try (ConnectedManager manager = connect(endpoint)) {
            ManagedLock lock = manager.find("lock", ManagedLock.class);
            System.out.println("waits " + lock.isLocked());
            lock.lock();
            System.out.println("has " + lock.wasAbandoned());
            lock.unlock();
        } catch (FiberException e) {
            System.out.println("told " + e.getMessage());
        }
    }

    private static void block(ManagerEndpoint endpoint, int callers) throws InterruptedException {
        try (ConnectedManager manager = connect(endpoint)) {
            FiberQueue<Integer> queue = manager.find("items", FiberQueue.class);
            List<Thread> threads = IntStream.range(0, callers)
                    .mapToObj(i -> new Thread(queue::take))
                    .toList();
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                await().atMost(LocalFiber.LIMIT).until(() -> Interrupt.waits(thread));
            }
            // The manager answers this after it has heard what was sent before.
            System.out.println("asks " + queue.size());
            for (Thread thread : threads) {
                thread.join();
            }
            System.out.println("served");
        }
    }

    /** A program with a session whose manager others use. */
    private static void host(Path file) throws InterruptedException {
        try (Fiber fiber = LocalFiber.open();
                Manager manager = fiber.manager()) {
            ManagedLock lock = manager.lock();
            manager.publish("lock", lock);
            lock.lock();
            manager.listen().save(file);
            System.out.println("listens");
            LocalFiber.last(Duration.ofMinutes(5));
        }
    }
}
