// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** Tasks that were at a worker together, from the moment when they were handed over to their last answer. */
@Name("io.fiber.Chunk")
@Label("Chunk")
@Description("Tasks that were at a worker together, from their hand-over to their last answer; recorded by the master")
@Category("Fiber")
@StackTrace(false)
final class ChunkEvent extends Event implements ChunkSpan {

    @Label("Pool")
    String pool;

    @Label("Function")
    String function;

    @Label("Worker")
    @Description("Number of the worker in the pool: the last number of its name")
    int worker;

    @Label("Chunk")
    long chunk;

    @Label("Attempt")
    int attempt;

    @Label("First Task")
    @Description("Place of the first task in the input of the call, from 0")
    long firstTask;

    @Label("Tasks")
    int tasks;

    @Label("Answered")
    int answered;

    @Label("Failed")
    @Description("How many of those that were answered have failed; they may be tried again")
    int failed;

    @Label("Outcome")
    @Nullable
    String outcome;

    ChunkEvent(Load load) {
        pool = load.pool();
        function = load.function().toString();
        worker = load.worker();
        chunk = load.chunk();
        attempt = load.attempt();
        firstTask = load.firstTask();
        tasks = load.tasks();
        begin();
    }

    @Override
    public void end(Outcome how, int answeredTasks, int failedTasks) {
        end();
        outcome = how.name();
        answered = answeredTasks;
        failed = failedTasks;
        commit();
    }
}
