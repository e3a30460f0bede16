// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.eventloop;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How late Linux may wake a thread that sleeps for a given time. The default of 50 microseconds is more than a conductor's
 * shortest sleep; a thread may set its own by a file of {@code /proc} (proc(5), {@code timerslack_ns}).
 */
public final class TimerSlack {

    private static final Path THREAD = Path.of("/proc/thread-self");
    private static final String FILE = "timerslack_ns";
    private static final String SMALL_NS = "1000";
    /** Whether it was tried in this thread. */
    private static final ThreadLocal<Boolean> MADE_SMALL = new ThreadLocal<>();

    private TimerSlack() {}

    /** Lets the calling thread be woken to the microsecond, where the platform has such a thing. */
    public static void makeSmall() {
        if (MADE_SMALL.get() != null) {
            return;
        }
        MADE_SMALL.set(true);
        try {
            Path task = Files.readSymbolicLink(THREAD).getFileName();
            Files.write(Path.of("/proc", task.toString(), FILE), SMALL_NS.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException | UnsupportedOperationException e) {
            // Another platform, or a sandbox: the conductor sleeps a little longer.
        }
    }
}
