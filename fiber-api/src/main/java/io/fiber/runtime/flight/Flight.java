// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.flight;

import jdk.jfr.FlightRecorder;

/**
 * Tells the flight recorder what happens. Until a recording has been started in this JVM every method returns what does
 * nothing. Thread-safe.
 */
public final class Flight {

    private Flight() {}

    /** Begins the life of a worker of a pool. */
    public static Life worker(String name) {
        return FlightRecorder.isInitialized() ? new Recorded(new WorkerEvent(), name) : Life.NOT_RECORDED;
    }

    /** Begins the life of a process that runs one program. */
    public static Life process(String name) {
        return FlightRecorder.isInitialized() ? new Recorded(new ProcessEvent(), name) : Life.NOT_RECORDED;
    }

    /** Begins the journey of a chunk of tasks to a worker and back. */
    public static Journey chunk(Journey.Load load) {
        return FlightRecorder.isInitialized() ? new ChunkJourney(load) : Journey.NOT_RECORDED;
    }

    /** Begins the run of one task, in the process that runs it. */
    public static Run task(long chunk, int attempt, int item) {
        return FlightRecorder.isInitialized() ? new TaskRun(chunk, attempt, item) : Run.NOT_RECORDED;
    }
}
