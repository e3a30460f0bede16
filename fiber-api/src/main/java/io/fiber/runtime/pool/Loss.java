// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.PoolBrokenException;
import io.fiber.ProcessStartException;
import io.fiber.WorkersMissingException;
import io.fiber.runtime.process.ProcessEnd;
import java.util.List;

/**
 * How a worker was lost.
 *
 * @param worker its name
 * @param how one line for a person: the exit code, the signal, the silence
 * @param lastLines what it wrote last, oldest first; may be empty
 * @param kind whether a program has run at all
 */
public record Loss(String worker, String how, List<String> lastLines, ProcessEnd.Kind kind) {
    public Loss {
        lastLines = List.copyOf(lastLines);
    }

    /** Creates the loss of a worker that has run. */
    public Loss(String worker, String how, List<String> lastLines) {
        this(worker, how, lastLines, ProcessEnd.Kind.ENDED);
    }

    /** Returns why a pool ends whose last failed start this was. */
    PoolBrokenException broken(String pool, int failedStarts) {
        ProcessStartException last = kind.startFailure(worker, how, lastLines);
        return new PoolBrokenException(pool, failedStarts, lastLines, last);
    }

    /** Returns what is said, and thrown at who waits for all workers, while a pool goes on without those that do not start. */
    WorkersMissingException tolerated(String pool, int failedStarts, int up) {
        return new WorkersMissingException(pool, failedStarts, up, kind.startFailure(worker, how, lastLines));
    }

    /** Returns the loss of a worker that was ended because one of its tasks takes no notice of an interrupt. */
    static Loss besideStuck(String worker) {
        return new Loss(
                worker,
                "ended by its pool, because another task of it did not end when it was interrupted"
                        + " (its deadline had passed, or its call was cancelled)",
                List.of());
    }
}
