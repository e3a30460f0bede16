// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** One task, from the reading of its argument to the writing of its result. */
@Name("io.fiber.Task")
@Label("Task")
@Description("One task, from the reading of its argument to the writing of its result; recorded by the worker")
@Category("Fiber")
@StackTrace(false)
final class TaskEvent extends Event implements TaskSpan {

    @Label("Chunk")
    long chunk;

    @Label("Attempt")
    int attempt;

    @Label("Item")
    @Description("Which task of the chunk, from 0")
    int item;

    @Label("Thrown")
    @Description("Class of what it threw; empty when it returned")
    @Nullable
    String thrown;

    TaskEvent(long chunk, int attempt, int item) {
        this.chunk = chunk;
        this.attempt = attempt;
        this.item = item;
        begin();
    }

    @Override
    public void returned() {
        end("");
    }

    @Override
    public void threw(Throwable exception) {
        end(exception.getClass().getName());
    }

    private void end(String type) {
        end();
        thrown = type;
        commit();
    }
}
