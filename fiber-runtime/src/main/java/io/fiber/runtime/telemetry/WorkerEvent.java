// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A worker of a pool, from the submission of its job to its end. */
@Name("io.fiber.Worker")
@Label("Worker")
@Description("A worker of a pool, from the submission of its job to its end")
@Category("Fiber")
@StackTrace(false)
final class WorkerEvent extends SpanEvent {

    WorkerEvent(String name) {
        super(name);
    }
}
