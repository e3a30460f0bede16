// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;

/**
 * Thrown if a task was given up because every worker that ran it was lost (FBR-402). Each worker ended or stopped
 * answering while it deserialized the task's argument or ran the task. Other tasks of the call are not affected. But if
 * the function ends each worker that deserializes it, the whole call fails.
 */
public final class WorkerLostException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final int attempts;
    private final String exitDescription;
    private final String[] lastLogLines;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param task description of the task and its pool, for example {@code "Task 7 of pool 'sweep' (call 3,
     *     com.acme.Model::score)"}
     * @param attempts how many times it was started; at least 1
     * @param exitDescription how the last of the workers ended, for example {@code "worker 'p1-sweep-3' (host n17),
     *     killed by a signal (exit code 137)"}
     * @param lastLogLines the last lines that the last of the workers wrote
     */
    public WorkerLostException(String task, int attempts, String exitDescription, List<String> lastLogLines) {
        this(
                attempts,
                task + " was started "
                        + (attempts == 1
                                ? "once, and its worker was lost: "
                                : attempts + " times, and its worker was lost each time; the last one: "),
                exitDescription,
                lastLogLines);
    }

    private WorkerLostException(int attempts, String what, String exitDescription, List<String> lastLogLines) {
        super(
                "FBR-402",
                what + LogTail.sentence(exitDescription)
                        + LogTail.describe(lastLogLines)
                        + "\n" + LossAdvice.on(exitDescription, lastLogLines));
        this.attempts = attempts;
        this.exitDescription = exitDescription;
        this.lastLogLines = lastLogLines.toArray(new String[0]);
    }

    /**
     * Returns the exception for a task that was sent to workers, each of which was lost before the task started. The
     * runtime calls this.
     */
    public static WorkerLostException beforeBegin(
            String task, int workers, String exitDescription, List<String> lastLogLines) {
        return new WorkerLostException(
                0,
                task + " was sent to " + workers
                        + " workers, one after the other, and each was lost before the task started; the last one: ",
                exitDescription,
                lastLogLines);
    }

    /**
     * Returns the exception for a call whose function has ended each worker that deserialized it. The runtime calls
     * this.
     *
     * @param call description of the call and its pool, for example {@code "call 3 of pool 'sweep'
     *     (com.acme.Model::score)"}
     */
    public static WorkerLostException inFunction(
            String call, int workers, String exitDescription, List<String> lastLogLines) {
        return new WorkerLostException(
                0,
                "The function of " + call + " was sent to " + workers
                        + " workers, and each was lost while deserializing it; the last one: ",
                exitDescription,
                lastLogLines);
    }

    /** Returns how many times the task was started; 0 if its workers were lost before. */
    public int attempts() {
        return attempts;
    }

    /** Returns a description of how the last of the workers ended. */
    public String exitDescription() {
        return exitDescription;
    }

    /** Returns the last lines that the last of the workers wrote; empty if none are known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
