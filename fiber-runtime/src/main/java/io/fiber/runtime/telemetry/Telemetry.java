// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.telemetry;

import io.fiber.FiberException;
import io.fiber.RemoteTaskException;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/**
 * Reports events to the flight recorder. Until a recording has been started in this JVM, every requested event is null
 * and no event class is loaded, not even to verify a method here: none returns an event as its superclass. Thread-safe;
 * an event belongs to one thread at a time.
 */
public final class Telemetry {

    /** A runtime image may lack the flight recorder, and then there are no recordings. */
    private static final boolean IS_PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private Telemetry() {}

    /** Returns whether a recording was ever started in this JVM; otherwise no event class may be loaded. */
    public static boolean isOn() {
        return IS_PRESENT && FlightRecorder.isInitialized();
    }

    public static @Nullable ProcessSpan worker(String name) {
        return isOn() ? new ProcessEvent.OfWorker(name) : null;
    }

    public static @Nullable ProcessSpan process(String name) {
        return isOn() ? new ProcessEvent.OfProcess(name) : null;
    }

    public static @Nullable TaskEvent task(long chunk, int attempt, int item) {
        return isOn() ? new TaskEvent(chunk, attempt, item) : null;
    }

    /** Reports that a task's failure reaches a caller: {@code task} of the input of {@code call}, both of a pool. */
    public static void failure(String pool, long call, long task, FiberException thrown) {
        if (isOn()) {
            new FailureEvent(pool, call, task, thrown).commit();
        }
    }

    /** What is at a worker: {@code runs} is what its tasks run, whose text is recorded. */
    public record Load(String pool, Object runs, int worker, long chunk, int attempt, long firstTask, int tasks) {}

    /** How a chunk's time at a worker ended. */
    public enum Outcome {
        DONE,
        LOST,
        CANCELLED,
        TAKEN_BACK
    }

    @Name("io.fiber.Chunk")
    @Label("Chunk")
    @Description(
            "Tasks that a worker received together, from their hand-over to their last answer; recorded by the master")
    @Category("Fiber")
    @StackTrace(false)
    public static final class ChunkEvent extends Event {

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
        @Description("How many of the answered tasks failed; they may be tried again")
        int failed;

        @Label("Outcome")
        @Nullable
        String outcome;

        /** Starts the event; create it only if {@link #isOn}. */
        public ChunkEvent(Load load) {
            pool = load.pool();
            function = load.runs().toString();
            worker = load.worker();
            chunk = load.chunk();
            attempt = load.attempt();
            firstTask = load.firstTask();
            tasks = load.tasks();
            begin();
        }

        public void end(Outcome how, int answeredTasks, int failedTasks) {
            end();
            outcome = how.name();
            answered = answeredTasks;
            failed = failedTasks;
            commit();
        }
    }

    @Name("io.fiber.Task")
    @Label("Task")
    @Description("One task, from the reading of its argument to the writing of its result; recorded by the worker")
    @Category("Fiber")
    @StackTrace(false)
    public static final class TaskEvent extends Event {

        @Label("Chunk")
        long chunk;

        @Label("Attempt")
        int attempt;

        @Label("Item")
        @Description("Which task of the chunk, from 0")
        int item;

        @Label("Thrown")
        @Description("Class of the exception that the task threw; empty if it returned")
        @Nullable
        String thrown;

        TaskEvent(long chunk, int attempt, int item) {
            this.chunk = chunk;
            this.attempt = attempt;
            this.item = item;
            begin();
        }

        /** The task has returned, or thrown this exception; the last call. */
        public void end(@Nullable Throwable exception) {
            end();
            thrown = exception == null ? "" : exception.getClass().getName();
            commit();
        }
    }

    /** The life of a process, as its master sees it. */
    public interface ProcessSpan {
        void ready();

        /** The process has ended; {@code why} is one line for people to read. The last call. */
        void end(String lastJobId, String finalState, String why);
    }

    abstract static class ProcessEvent extends Event implements ProcessSpan {

        @Name("io.fiber.Process")
        @Label("Process")
        @Description("A process that runs one program, from the submission of its job to its end")
        @Category("Fiber")
        @StackTrace(false)
        static final class OfProcess extends ProcessEvent {
            OfProcess(String name) {
                super(name);
            }
        }

        @Name("io.fiber.Worker")
        @Label("Worker")
        @Description("A worker of a pool, from the submission of its job to its end")
        @Category("Fiber")
        @StackTrace(false)
        static final class OfWorker extends ProcessEvent {
            OfWorker(String name) {
                super(name);
            }
        }

        @Label("Name")
        String name;

        @Label("Job")
        @Description("The name that the platform gives the job; empty if there was none")
        @Nullable
        String jobId;

        @Label("Start-up")
        @Description("From the submission of the job until the process was ready; negative if it never was")
        @Timespan(Timespan.NANOSECONDS)
        long startUp = -1;

        @Label("Final State")
        @Nullable
        String state;

        @Label("Cause")
        @Nullable
        String cause;

        private final transient long beginNs = System.nanoTime();

        ProcessEvent(String name) {
            this.name = name;
            begin();
        }

        @Override
        public void ready() {
            startUp = System.nanoTime() - beginNs;
        }

        @Override
        public void end(String lastJobId, String finalState, String why) {
            end();
            jobId = lastJobId;
            state = finalState;
            cause = why;
            commit();
        }
    }

    @Name("io.fiber.Failure")
    @Label("Failure")
    @Description("A failed task, at the time when its caller learns of it; recorded by the caller")
    @Category("Fiber")
    @StackTrace(false)
    static final class FailureEvent extends Event {

        @Label("Pool")
        String pool;

        @Label("Call")
        @Description("Number of the call in the pool, from 1")
        long call;

        @Label("Task")
        @Description("Place of the task in the input of the call, from 0")
        long task;

        @Label("Thrown")
        @Description("Class of the exception that the task threw, or that its caller gets for it")
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
}
