// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.wire.Messages.Running;

/** One thing that was asked of a pool: a function, items, and who waits for the answers. Belongs to the conductor. */
public final class Call extends LinkedQueue.Element<Call> {

    /**
     * How a call wants to be run.
     *
     * @param chunkItems items in a chunk; 0 lets the pool find out
     * @param maxAttempts how often an item may be begun
     * @param deadlineNs how long an item may run; 0 for as long as it takes
     */
    public record Limits(int chunkItems, int maxAttempts, long deadlineNs) {
        /** Limits of a call whose items may run as long as they take. */
        public Limits(int chunkItems, int maxAttempts) {
            this(chunkItems, maxAttempts, 0);
        }
    }

    private final TaskFunction function;
    private final Source source;
    private final Limits limits;
    private final CallSink sink;
    /** Its chunks that are at workers. */
    private final LinkedQueue<Chunk> held = new LinkedQueue<>();

    private long taken;
    private long answered;
    private boolean ended;
    private volatile Running running = Running.INTERRUPTED;

    /** Creates a call of a function that was claimed for it. */
    public Call(TaskFunction function, Source source, Limits limits, CallSink sink) {
        this.function = function;
        this.source = source;
        this.limits = limits;
        this.sink = sink;
        if (limits.chunkItems() > 0) {
            source.suggest(limits.chunkItems());
        }
    }

    /** Says what becomes of running items when the call is cancelled. Any thread may call it, before it cancels. */
    void onCancel(Running how) {
        running = how;
    }

    Running running() {
        return running;
    }

    TaskFunction function() {
        return function;
    }

    Source source() {
        return source;
    }

    Limits limits() {
        return limits;
    }

    CallSink sink() {
        return sink;
    }

    void taken(int items) {
        taken += items;
    }

    void answered(int items) {
        answered += items;
    }

    boolean isEnded() {
        return ended;
    }

    void give(Chunk chunk) {
        held.add(chunk);
    }

    /** Returns its chunks that are at workers. */
    LinkedQueue<Chunk> held() {
        return held;
    }

    /** Takes the news that nothing more of it will run; for a call that was refused, too. */
    void end() {
        if (!ended) {
            ended = true;
            function.release();
            source.close();
        }
    }

    boolean isComplete() {
        return answered == taken && source.isExhausted();
    }

    long items() {
        return answered;
    }
}
