// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** What is told of every process. */
abstract class SpanEvent extends Event implements ProcessSpan {

    /** A process that runs one program, from the submission of its job to its end. */
    @Name("io.fiber.Process")
    @Label("Process")
    @Description("A process that runs one program, from the submission of its job to its end")
    @Category("Fiber")
    @StackTrace(false)
    static final class OfProcess extends SpanEvent {
        OfProcess(String name) {
            super(name);
        }
    }

    /** A worker of a pool, from the submission of its job to its end. */
    @Name("io.fiber.Worker")
    @Label("Worker")
    @Description("A worker of a pool, from the submission of its job to its end")
    @Category("Fiber")
    @StackTrace(false)
    static final class OfWorker extends SpanEvent {
        OfWorker(String name) {
            super(name);
        }
    }

    @Label("Name")
    String name;

    @Label("Job")
    @Description("As the platform names it; empty when there was none")
    @Nullable
    String jobId;

    @Label("Start-up")
    @Description("From the submission of the job until it was ready; negative when it never was")
    @Timespan(Timespan.NANOSECONDS)
    long startUp = -1;

    @Label("Final State")
    @Nullable
    String state;

    @Label("Cause")
    @Nullable
    String cause;

    private final transient long beginNs = System.nanoTime();

    SpanEvent(String name) {
        this.name = name;
        begin();
    }

    @Override
    public void ready() {
        startUp = System.nanoTime() - beginNs;
    }

    @Override
    public void end(End end) {
        end();
        jobId = end.jobId();
        state = end.state();
        cause = end.cause();
        commit();
    }
}
