// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

import io.fiber.FiberException;
import io.fiber.RemoteTaskException;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** The failure of one task, when its caller reads it. */
@Name("io.fiber.Failure")
@Label("Failure")
@Description("A failed task, when its caller is told; recorded by the caller")
@Category("Fiber")
@StackTrace(false)
final class FailureEvent extends Event {

    @Label("Pool")
    String pool;

    @Label("Call")
    @Description("Number of the call in the pool, from 1")
    long call;

    @Label("Task")
    @Description("Place of the task in the input of the call, from 0")
    long task;

    @Label("Thrown")
    @Description("Class of what the task threw, or of what the caller is thrown for it")
    String thrown;

    @Label("Message")
    @Nullable
    String message;

    FailureEvent(String pool, long call, long task, FiberException failure) {
        this.pool = pool;
        this.call = call;
        this.task = task;
        thrown = failure instanceof RemoteTaskException remote
                ? remote.remoteType()
                : failure.getClass().getName();
        message = failure.getMessage();
    }
}
