// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spi.backend.JobTermination;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a task was given up because every worker that ran it was lost (FBR-402). Each worker ended or stopped
 * answering while it deserialized the task's argument or ran the task. Other tasks of the call are not affected. But if
 * the function ends each worker that deserializes it, the whole call fails.
 */
public final class WorkerLostException extends FiberException {
    private static final long serialVersionUID = 1L;

    private final int attempts;
    private final String exitDescription;
    private final JobTermination.Cause exitCause;
    private final @Nullable Integer exitCode;
    private final String[] lastLogLines;

    /**
     * How a worker ended.
     *
     * @param description one line, for example {@code "worker 'p1-sweep-3' (host n17), out of memory (exit code 137)"}
     * @param cause what ended it
     * @param code its exit code, 0 to 255; if signal n ended it, 128 + n; empty if unknown
     * @param lastLogLines the last lines that it wrote
     */
    public record Exit(String description, JobTermination.Cause cause, OptionalInt code, List<String> lastLogLines) {
        /** Copies the lines. */
        public Exit {
            lastLogLines = List.copyOf(lastLogLines);
        }
    }

    /**
     * Creates an exception. The runtime does this.
     *
     * @param task description of the task and its pool, for example {@code "Task 7 of pool 'sweep' (call 3,
     *     com.acme.Model::score)"}
     * @param attempts how many times it was started; at least 1
     * @param last how the last of the workers ended
     * @param advice what to do about it, as sentences
     */
    public WorkerLostException(String task, int attempts, Exit last, String advice) {
        this(
                attempts,
                last,
                task + " was started "
                        + (attempts == 1
                                ? "once, and its worker was lost: "
                                : attempts + " times, and its worker was lost each time; the last one: "),
                advice);
    }

    private WorkerLostException(int attempts, Exit last, String what, String advice) {
        super(
                "FBR-402",
                what + LogTail.sentence(last.description()) + LogTail.describe(last.lastLogLines()) + "\n" + advice);
        this.attempts = attempts;
        this.exitDescription = last.description();
        this.exitCause = last.cause();
        this.exitCode = last.code().isPresent() ? last.code().getAsInt() : null;
        this.lastLogLines = last.lastLogLines().toArray(new String[0]);
    }

    /**
     * Returns the exception for a task that was sent to workers, each of which was lost before the task started. The
     * runtime calls this.
     */
    public static WorkerLostException beforeBegin(String task, int workers, Exit last, String advice) {
        return new WorkerLostException(
                0,
                last,
                task + " was sent to " + workers
                        + " workers, one after the other, and each was lost before the task started; the last one: ",
                advice);
    }

    /**
     * Returns the exception for a call whose function has ended each worker that deserialized it. The runtime calls
     * this.
     *
     * @param call description of the call and its pool, for example {@code "call 3 of pool 'sweep'
     *     (com.acme.Model::score)"}
     */
    public static WorkerLostException inFunction(String call, int workers, Exit last, String advice) {
        return new WorkerLostException(
                0,
                last,
                "The function of " + call + " was sent to " + workers
                        + " workers, and each was lost while deserializing it; the last one: ",
                advice);
    }

    /** Returns how many times the task was started; 0 if its workers were lost before. */
    public int attempts() {
        return attempts;
    }

    /** Returns a description of how the last of the workers ended, for people to read. */
    public String exitDescription() {
        return exitDescription;
    }

    /**
     * Returns what ended the last of the workers.
     *
     * @return {@code UNKNOWN} if only the connection to it ended, or the platform has forgotten its job
     */
    public JobTermination.Cause exitCause() {
        return exitCause;
    }

    /** Returns the exit code of the last of the workers; 128 + n if signal n ended it, and empty if it is unknown. */
    public OptionalInt exitCode() {
        return exitCode == null ? OptionalInt.empty() : OptionalInt.of(exitCode);
    }

    /** Returns the last lines that the last of the workers wrote; empty if none are known. */
    public List<String> lastLogLines() {
        return List.of(lastLogLines);
    }
}
