// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Ends a JVM that tells no result for long, after it has printed what its threads do. Thread-safe. */
final class Silence implements AutoCloseable {

    /** Longer than the kit gives any test. */
    static final Duration LIMIT = Duration.ofMinutes(15);

    private static final Duration LAST_WORDS = Duration.ofSeconds(10);

    private final Process process;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private ScheduledFuture<?> end;
    private volatile boolean over;

    Silence(Process process) {
        this.process = process;
        this.end = clock.schedule(this::ask, LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Begins anew. */
    synchronized void isBroken() {
        end.cancel(false);
        end = clock.schedule(this::ask, LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Tells whether it has lasted too long. */
    boolean isOver() {
        return over;
    }

    private void ask() {
        over = true;
        try {
            new ProcessBuilder("kill", "-QUIT", String.valueOf(process.pid()))
                    .inheritIO()
                    .start();
        } catch (IOException e) {
            System.err.println("No word of a JVM that hangs: " + e);
        }
        var unused = clock.schedule(process::destroyForcibly, LAST_WORDS.toSeconds(), TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
