// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.List;

/**
 * A task was given up because every worker that ran it was lost (FBR-402): the worker ended or fell silent while it
 * deserialized the task's argument or ran the task. The other tasks of the call are not harmed by it. A function that ends
 * each worker that deserializes it fails its call.
 */
public final class WorkerLostException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final int attempts;
    private final String exitDescription;
    private final String[] lastLogLines;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param task in words, which task of which pool, for example {@code "Task 7 of pool 'sweep' (call 3, com.acme.Model::score)"}
     * @param attempts how often it was started; at least 1
     * @param exitDescription how the last of the workers ended, for example
     *     {@code "worker 'p1-sweep-3' (host n17), killed by a signal (exit code 137)"}
     * @param lastLogLines what the last of the workers wrote last
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
     * Creates the exception of a task that was sent to workers, each of which was lost before the task began. The runtime
     * does this.
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
     * Creates the exception of a call whose function has ended each worker that deserialized it. The runtime does this.
     *
     * @param call in words, which call of which pool, for example {@code "call 3 of pool 'sweep' (com.acme.Model::score)"}
     */
    public static WorkerLostException inFunction(
            String call, int workers, String exitDescription, List<String> lastLogLines) {
        return new WorkerLostException(
                0,
                "The function of " + call + " was sent to " + workers
                        + " workers, and each was lost while it deserialized it; the last one: ",
                exitDescription,
                lastLogLines);
    }

    /** Returns how often the task was started; 0 when its workers were lost before. */
    public int attempts() {
        return attempts;
    }

    /** Returns how the last of the workers ended, in words. */
    public String exitDescription() {
        return exitDescription;
    }

    /** Returns what the last of the workers wrote last; empty when nothing is known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
