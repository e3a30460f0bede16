// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

import jdk.jfr.FlightRecorder;

/**
 * Tells the flight recorder what happens. Until a recording has been started in this JVM every method returns what does
 * nothing. Thread-safe.
 */
public final class Telemetry {

    private Telemetry() {}

    /** Begins the life of a worker of a pool. */
    public static ProcessSpan worker(String name) {
        return FlightRecorder.isInitialized()
                ? new RecordedProcessSpan(new WorkerEvent(), name)
                : ProcessSpan.NOT_RECORDED;
    }

    /** Begins the life of a process that runs one program. */
    public static ProcessSpan process(String name) {
        return FlightRecorder.isInitialized()
                ? new RecordedProcessSpan(new ProcessEvent(), name)
                : ProcessSpan.NOT_RECORDED;
    }

    /** Begins the journey of a chunk of tasks to a worker and back. */
    public static ChunkSpan chunk(ChunkSpan.Load load) {
        return FlightRecorder.isInitialized() ? new RecordedChunkSpan(load) : ChunkSpan.NOT_RECORDED;
    }

    /** Begins the run of one task, in the process that runs it. */
    public static TaskSpan task(long chunk, int attempt, int item) {
        return FlightRecorder.isInitialized() ? new RecordedTaskSpan(chunk, attempt, item) : TaskSpan.NOT_RECORDED;
    }
}
