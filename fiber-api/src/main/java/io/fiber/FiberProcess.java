// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.function.RemoteRunnable;
import io.fiber.spec.EndCause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;

/**
 * A process of the program: a {@link RemoteRunnable} in a JVM of its own, on a machine that the backend chooses. {@link
 * Fiber#process} starts it, or {@link Fiber#processBuilder} if you set options.
 *
 * <pre>{@code
 * FiberProcess hello = fiber.process(() -> System.out.println("Hello, Fiber!"));
 * int exitCode = hello.join();
 * }</pre>
 *
 * <p>The program runs at most once. If it returns, the exit code is 0. If it throws, the exit code is 1 and {@link
 * #failure()} returns the exception. If it calls {@link System#exit}, that status is the exit code. As in any JVM, the
 * process waits for non-daemon threads that the program has started. Then its shutdown hooks run. If they take longer
 * than the setting {@code shutdown-grace}, the process is killed and the exit code is 137.
 *
 * <p>Thread-safe.
 */
public interface FiberProcess {

    /**
     * Waits until the process has ended and returns its exit code.
     *
     * @return the exit code, 0 to 255; if signal n ended the process, 128 + n
     * @throws ProcessLostException FBR-312 if there is no exit code
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the process keeps running
     */
    int join();

    /**
     * Waits until the process has ended or the time has passed.
     *
     * @param timeout 0 or less does not wait
     * @return the exit code, as from {@link #join()}; empty if the process has not ended
     * @throws ProcessLostException FBR-312 if the process has ended without an exit code
     * @throws WaitInterruptedException if the thread is interrupted while it waits; the process keeps running
     */
    OptionalInt join(Duration timeout);

    /**
     * Asks the process to end, so that its shutdown hooks run. If it has not ended within the time of the setting
     * {@code shutdown-grace}, it is killed. Returns at once. Does nothing in a final state.
     */
    void terminate();

    /**
     * Kills the process without asking it, as far as the platform can. Returns at once. Does nothing in a final state.
     */
    void kill();

    /** Returns whether the process has not yet reached a final state. */
    boolean isAlive();

    /** Returns the state of the process. */
    ProcessState state();

    /** Returns the exit code; empty if the process has not ended or its exit code is unknown. Does not wait. */
    OptionalInt exitCode();

    /**
     * Returns what ended the process: its own exit, a signal, too much memory, a time limit, preemption, a lost machine,
     * or {@link #terminate} and {@link #kill}; or why it never ran. Empty if it has not ended. Does not wait. If the
     * process did not end on its own, the log has a line with the platform's reason (FBR-317).
     *
     * @return {@code UNKNOWN} if only the connection to the process ended, or the platform has forgotten the job
     */
    Optional<EndCause> cause();

    /** Returns the exception that the program threw; empty if it has not ended or threw nothing. Does not wait. */
    Optional<RemoteTaskException> failure();

    /** Returns the name. */
    String name();

    /** Returns the platform's id of the process's job; empty until the backend has the job. */
    Optional<String> id();

    /** Returns whether closing the session terminates the process instead of waiting for it. */
    boolean isDaemon();

    /**
     * Returns the last lines that the process wrote, standard output and standard error together. May ask the platform
     * and wait for its answer. Lines that have not reached the platform yet may be missing.
     *
     * @param lastLines maximum number of lines; at least 1
     * @throws IllegalArgumentException (FBR-305) if {@code lastLines} is less than 1
     * @throws UnsupportedOperationException if the backend does not keep the output of its jobs
     * @throws FiberException if the platform does not answer; the cause is the backend's exception
     */
    List<String> logs(int lastLines);

    /**
     * Returns a future that completes with this process when it has reached a final state. It never completes with an
     * exception. Completing or cancelling the future has no effect on the process.
     */
    CompletableFuture<FiberProcess> onExit();
}
