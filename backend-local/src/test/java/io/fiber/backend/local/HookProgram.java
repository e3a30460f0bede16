// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import io.fiber.runtime.worker.ExitCleanup;
import io.fiber.runtime.worker.ExitWatch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/** A JVM that a watch ends, or that ends itself, while its shutdown hooks look for a directory that is to be removed. */
final class HookProgram {

    /** The JVM starts some before the watch's own hook, and some after it. */
    static final int HOOKS = 8;

    private static final Duration WHILE = Duration.ofSeconds(1);

    /** Starts slowly, so that hooks before Fiber's own run when that one starts. */
    private static final class SlowHook extends Thread {
        SlowHook(Runnable look) {
            super(look);
        }

        @Override
        public synchronized void start() {
            super.start();
            LockSupport.parkNanos(30_000_000);
        }
    }

    private HookProgram() {}

    public static void main(String[] args) throws IOException {
        Path directory = Files.createDirectory(Path.of(args[1]));
        ExitCleanup cleanup = new ExitCleanup();
        cleanup.add(directory);
        ExitWatch watch = new ExitWatch(cleanup);
        // A wait for what is no hook would end with the default grace, and go unnoticed.
        watch.limit(
                FiberConfig.fromParent(Map.of("fiber.shutdown-grace", "10m"), KnownKeys.of(List.of(), Set.of())),
                () -> {});
        // The JVM starts hooks in the order of these numbers, which it computes alike in each run.
        for (int i = ThreadLocalRandom.current().nextInt(100); i > 0; i--) {
            System.identityHashCode(new Object());
        }
        watch.set();
        CountDownLatch begun = new CountDownLatch(HOOKS);
        for (int i = 0; i < HOOKS; i++) {
            Runtime.getRuntime().addShutdownHook(new SlowHook(() -> look(directory, begun)));
        }
        if (args[0].equals("watch")) {
            watch.exit(0);
        }
        System.exit(0);
    }

    private static void look(Path directory, CountDownLatch begun) {
        Thread early = idle();
        Thread late = idle();
        early.start();
        begun.countDown();
        try {
            begun.await();
            LocalFiber.last(WHILE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        late.start();
        System.out.println("directory is there: " + Files.isDirectory(directory));
    }

    /** Returns a thread that never ends and keeps no JVM running. */
    private static Thread idle() {
        Thread idle = new Thread(
                () -> {
                    while (true) {
                        LockSupport.park();
                    }
                },
                "no hook");
        idle.setDaemon(true);
        return idle;
    }
}
