// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.Pool;
import io.fiber.TaskRunner;
import io.fiber.tck.fault.SmallDisk;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Masters that record results, and are ended or meet a full disk. */
final class JournalPrograms {

    static final int ITEMS = 1_500;
    static final int FREE_ITEMS = 200;
    static final Duration TASK = Duration.ofMillis(2);
    /** The exit code of a program that handles SIGTERM itself. */
    static final int OWN_CODE = 42;

    private JournalPrograms() {}

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "sweep" -> sweep(args[1], args[2], args[3]);
            case "endless" -> endless(args[1], args[2]);
            case "hook" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(JournalPrograms::hang));
                endless(args[1], args[2]);
            }
            case "handler" -> {
                handleTerminate();
                endless(args[1], args[2]);
            }
            case "full" -> full(Path.of(args[1]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    /** Later items wait until there is a gate. */
    private static String score(String notes, String gate, int item) throws InterruptedException {
        do {
            LocalFiber.last(TASK);
        } while (item >= FREE_ITEMS && !Files.exists(Path.of(gate)));
        LocalFiber.note(notes, item);
        return "score of " + item;
    }

    private static void sweep(String journal, String notes, String gate) {
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2)) {
            TaskRunner durable = pool.with(CallOptions.defaults().journal(Path.of(journal)));
            List<String> scores = durable.map(item -> score(notes, gate, item), LocalFiber.numbers(ITEMS));
            System.out.println("exact "
                    + scores.equals(LocalFiber.numbers(ITEMS).stream()
                            .map(item -> "score of " + item)
                            .toList()));
        }
    }

    /** Runs a task that does not end, with a journal unless that has no name. */
    private static void endless(String journal, String notes) {
        CallOptions options = CallOptions.defaults();
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(1)) {
            pool.with(journal.isEmpty() ? options : options.journal(Path.of(journal)))
                    .apply(() -> {
                        LocalFiber.note(notes, "begun");
                        LocalFiber.last(Duration.ofHours(1));
                        return true;
                    });
        }
    }

    private static void hang() {
        System.out.println("hangs");
        while (true) {
            LockSupport.park();
        }
    }

    /** Exits with a code of its own. By reflection, because javac warns about each use of the class. */
    private static void handleTerminate() throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object exits = Proxy.newProxyInstance(
                JournalPrograms.class.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> {
                    Runtime.getRuntime().halt(OWN_CODE);
                    return null;
                });
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance("TERM"), exits);
    }

    /** Fills the disk in the middle of a call, and makes room for the next one. */
    private static void full(Path directory) throws Exception {
        try (SmallDisk disk = SmallDisk.at(Files.createDirectory(directory), 1 << 20);
                Fiber fiber = LocalFiber.open();
                Pool pool = fiber.pool(2)) {
            TaskRunner durable = pool.with(CallOptions.defaults()
                    .journal(directory.resolve("sweep.journal"))
                    .chunkSize(1));
            durable.map(item -> new byte[1 << 10], LocalFiber.numbers(100));
            disk.fill();
            try {
                durable.map(item -> new byte[1 << 10], LocalFiber.numbers(300));
                System.out.println("failed not");
            } catch (FiberException e) {
                System.out.println("failed " + e.getMessage());
            }
            disk.clear();
            System.out.println("exact "
                    + (durable.map(item -> new byte[1 << 10], LocalFiber.numbers(300))
                                    .size()
                            == 300));
        }
    }
}
