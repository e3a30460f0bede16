// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * One process of the program: a {@link RemoteRunnable} that runs in a JVM of its own, wherever the backend puts it. Started
 * by {@link Fiber#process}, or with choices named by {@link Fiber#processBuilder}.
 *
 * <pre>{@code
 * FiberProcess hello = fiber.process(() -> System.out.println("Hello, Fiber!"));
 * int exitCode = hello.join();
 * }</pre>
 *
 * <p>The program runs at most once. When it returns, the exit code is 0; when it throws, the exit code is 1 and
 * {@link #failure()} has the exception; when it calls {@link System#exit}, the exit code is what it gave. Threads that it
 * has started and that are no daemons are waited for before the process ends, as a JVM does. Its shutdown hooks then have as
 * long as the setting {@code shutdown-grace} says; if they take longer, the process is killed, and the exit code is 137.
 *
 * <p>Thread-safe.
 */
public interface FiberProcess {

    /**
     * Waits until the process has ended.
     *
     * @return the exit code, 0 to 255; for a process ended by signal n it is 128 + n
     * @throws ProcessLostException FBR-312 when there is no exit code
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the process goes on
     */
    int join();

    /**
     * Waits until the process has ended, or the time has passed.
     *
     * @param timeout 0 or less does not wait
     * @return the exit code as {@link #join()} gives it, empty when the process has not ended
     * @throws ProcessLostException FBR-312 when it has ended and there is no exit code
     * @throws WaitInterruptedException when the thread is interrupted while it waits; the process goes on
     */
    OptionalInt join(Duration timeout);

    /**
     * Asks the process to end; its shutdown hooks run. When it has not ended after the setting {@code shutdown-grace} it
     * is killed. Returns at once; in a final state it does nothing.
     */
    void terminate();

    /**
     * Ends the process without asking it, as far as the platform can. Returns at once; in a final state it does nothing.
     */
    void kill();

    /** Tells whether the process has not reached a final state. */
    boolean isAlive();

    /** Returns where the process stands. */
    ProcessState state();

    /** Returns the exit code; empty while the process has not ended, and when it is unknown. Does not wait. */
    OptionalInt exitCode();

    /** Returns what the program threw; empty while it has not ended, and when it threw nothing. Does not wait. */
    Optional<RemoteTaskException> failure();

    /** Returns the name. */
    String name();

    /** Returns the id of its job as the platform gives it; empty until the backend has the job. */
    Optional<String> id();

    /** Tells whether closing the session terminates it instead of waiting for it. */
    boolean isDaemon();

    /**
     * Returns what the process wrote last, standard output and standard error together. May ask the platform, and waits
     * for its answer; what the platform has not yet got may be missing.
     *
     * @param lastLines at most so many lines; at least 1
     * @throws IllegalArgumentException (FBR-305) when it is less
     * @throws UnsupportedOperationException when the backend does not keep what its jobs write
     * @throws io.fiber.spi.backend.BackendUnavailableException when the platform does not answer
     */
    List<String> logs(int lastLines);

    /**
     * Returns a future that completes with this process when it has reached a final state. It never completes with an
     * exception; completing or cancelling it from outside has no effect on the process.
     */
    CompletableFuture<FiberProcess> onExit();
}
