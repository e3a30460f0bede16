// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

import io.fiber.FiberException;
import jdk.jfr.FlightRecorder;

/**
 * Tells the flight recorder what happens. Until a recording has been started in this JVM every method returns what does
 * nothing. Thread-safe.
 */
public final class Telemetry {

    private Telemetry() {}

    /** Begins the span of a worker of a pool. */
    public static ProcessSpan worker(String name) {
        return FlightRecorder.isInitialized() ? new SpanEvent.OfWorker(name) : ProcessSpan.NOT_RECORDED;
    }

    /** Begins the span of a process that runs one program. */
    public static ProcessSpan process(String name) {
        return FlightRecorder.isInitialized() ? new SpanEvent.OfProcess(name) : ProcessSpan.NOT_RECORDED;
    }

    /** Begins the span of a chunk of tasks, from its assignment to its last answer. */
    public static ChunkSpan chunk(ChunkSpan.Load load) {
        return FlightRecorder.isInitialized() ? new ChunkEvent(load) : ChunkSpan.NOT_RECORDED;
    }

    /** Tells that a caller is thrown the failure of a task: {@code task} of the input of {@code call}, both of a pool. */
    public static void failure(String pool, long call, long task, FiberException thrown) {
        if (FlightRecorder.isInitialized()) {
            new FailureEvent(pool, call, task, thrown).commit();
        }
    }

    /** Begins the span of one task, in the process that runs it. */
    public static TaskSpan task(long chunk, int attempt, int item) {
        return FlightRecorder.isInitialized() ? new TaskEvent(chunk, attempt, item) : TaskSpan.NOT_RECORDED;
    }
}
