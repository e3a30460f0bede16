// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A process that runs one program, from the submission of its job to its end. */
@Name("io.fiber.Process")
@Label("Process")
@Description("A process that runs one program, from the submission of its job to its end")
@Category("Fiber")
@StackTrace(false)
final class ProcessEvent extends SpanEvent {

    ProcessEvent(String name) {
        super(name);
    }
}
