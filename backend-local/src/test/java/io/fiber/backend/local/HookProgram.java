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
import java.util.concurrent.locks.LockSupport;

/** A JVM that a watch ends, or that ends itself, while its shutdown hooks look for a directory that is to be removed. */
final class HookProgram {

    /** The JVM starts them in any order: some before the watch's own hook, some behind it. */
    static final int HOOKS = 8;

    private static final Duration WHILE = Duration.ofMillis(200);

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
        watch.set();
        CountDownLatch begun = new CountDownLatch(HOOKS);
        for (int i = 0; i < HOOKS; i++) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> look(directory, begun)));
        }
        if (args[0].equals("watch")) {
            watch.exit(0);
        }
        System.exit(0);
    }

    private static void look(Path directory, CountDownLatch begun) {
        begun.countDown();
        Thread idle = new Thread(LockSupport::park, "no hook");
        idle.setDaemon(true);
        idle.start();
        try {
            begun.await();
            LocalFiber.last(WHILE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.println("directory is there: " + Files.isDirectory(directory));
    }
}
