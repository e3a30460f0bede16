// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

/** The time that a chunk of tasks was at a worker, as the master sees it. Belongs to the conductor. */
public interface ChunkSpan {

    /** A span that is not recorded. */
    ChunkSpan NOT_RECORDED = (outcome, answered, failed) -> {};

    /**
     * What travels.
     *
     * @param function what its tasks run; its text is recorded
     * @param worker number of the worker in the pool
     * @param chunk number of the chunk in the pool
     * @param attempt which run of it this is, from 1
     * @param firstTask place of its first task in the input of its call
     * @param tasks how many tasks it holds
     */
    record Load(String pool, Object function, int worker, long chunk, int attempt, long firstTask, int tasks) {}

    /** How a span ended. */
    enum Outcome {
        /** Every task was answered. */
        DONE,
        /** The worker was lost; what was not answered runs elsewhere or is given up. */
        LOST,
        /** The call no longer waits for it. */
        CANCELLED,
        /** What had not begun was taken back and runs elsewhere. */
        TAKEN_BACK
    }

    /**
     * The span has ended; the last call.
     *
     * @param answered how many tasks were answered
     * @param failed how many of them by a failure, those that are tried again included
     */
    void end(Outcome outcome, int answered, int failed);
}
