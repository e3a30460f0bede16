// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import io.fiber.spec.EndCause;
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
    private final EndCause exitCause;
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
    public record Exit(String description, EndCause cause, OptionalInt code, List<String> lastLogLines) {
        /** Copies the lines. */
        public Exit {
            lastLogLines = List.copyOf(lastLogLines);
        }
    }

    /**
     * Creates an exception with code FBR-402.
     *
     * @param message what happened
     * @param attempts how many times the task was started; 0 if its workers were lost before
     * @param last how the last of the workers ended
     */
    public WorkerLostException(String message, int attempts, Exit last) {
        super("FBR-402", message);
        this.attempts = attempts;
        this.exitDescription = last.description();
        this.exitCause = last.cause();
        this.exitCode = last.code().isPresent() ? last.code().getAsInt() : null;
        this.lastLogLines = last.lastLogLines().toArray(new String[0]);
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
    public EndCause exitCause() {
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
