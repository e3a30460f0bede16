// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.Retry;
import io.fiber.runtime.protocol.Messages.Running;
import org.agrona.collections.Long2ObjectHashMap;
import org.jspecify.annotations.Nullable;

/** One call of a pool: a function, items, and where the answers go. Belongs to the conductor. */
public final class Call extends LinkedQueue.Element<Call> {

    /** After so many losses for which its function may be the cause, and others, too, the next ones tell. */
    private static final int GREATEST_DOUBTS = 3;

    final TaskFunction function;
    final Source source;
    final Limits limits;
    final CallSink sink;
    /** Its chunks that are at workers. */
    private final LinkedQueue<Chunk> held = new LinkedQueue<>();

    /** Its items that have thrown and will be tried again, or are. */
    private final Long2ObjectHashMap<Retries.Tries> tries = new Long2ObjectHashMap<>();

    private @Nullable CallTitle title;
    private long taken;
    private long answered;
    private boolean begun;
    private long begunNs;
    private boolean ended;
    private boolean heard;
    private boolean suspect;
    private int functionLosses;
    private int functionDoubts;
    private volatile Running running = Running.INTERRUPTED;

    /** Creates a call of a function that was claimed for it. */
    public Call(TaskFunction function, Source source, Limits limits, CallSink sink) {
        this.function = function;
        this.source = source;
        this.limits = limits;
        this.sink = sink;
        source.suggest(limits.chunkItems() > 0 ? limits.chunkItems() : function.plannedItems());
    }

    void taken(int items) {
        taken += items;
    }

    /** Counts answered items, of which {@code failures} have failed. */
    void answered(int items, int failures) {
        answered += items;
        source.answered(items);
        sink.onProgress(items, failures);
    }

    /** Sets what becomes of running items when it is cancelled. Any thread may do so, before it cancels. */
    public void whenCancelled(Running what) {
        running = what;
    }

    /** Returns what becomes of running items when it is cancelled. */
    public Running running() {
        return running;
    }

    public CallSink sink() {
        return sink;
    }

    /** Says what errors call it. Before it is made. */
    public void named(CallTitle words) {
        title = words;
    }

    String title() {
        return title == null ? "a call" : title.toString();
    }

    /** Returns what it runs; its text is for a person who knows the pool. */
    public Object runs() {
        return title == null ? "a call" : title.function();
    }

    /** One of its items has run to its end: its function does not end every worker. */
    void heard() {
        heard = true;
        suspect = false;
        functionLosses = 0;
        functionDoubts = 0;
    }

    /** A worker is lost that had unannounced items of it: unless some have run before, its function may be the cause. */
    void lostUnannounced() {
        suspect |= !heard;
    }

    /** Tells whether its next chunks are announced, so that it is known whether its function ends its workers. */
    boolean isSuspect() {
        return suspect;
    }

    /** A worker is lost that was deserializing its function, and had nothing of another call. */
    void functionLost() {
        functionLosses++;
    }

    /** A worker is lost that was deserializing its function, and had something else that may have ended it. */
    void functionDoubted() {
        functionDoubts++;
    }

    /** Tells whether its chunks run alone, so that it is known whether its function ends its workers. */
    boolean isDoubted() {
        return functionDoubts >= GREATEST_DOUBTS;
    }

    /** Returns how many workers were lost deserializing its function, since one of its items has run to its end. */
    int functionLosses() {
        return functionLosses;
    }

    boolean isEnded() {
        return ended;
    }

    /** One of its chunks goes to a worker. */
    void give(Chunk chunk, long nowNs) {
        if (!begun) {
            begun = true;
            begunNs = nowNs;
        }
        held.add(chunk);
    }

    /** Returns when its first chunk went to a worker; of no meaning before. */
    long begunNs() {
        return begunNs;
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
            sink.onOver();
        }
    }

    /** Returns its items that have thrown and are not answered. */
    Long2ObjectHashMap<Retries.Tries> tries() {
        return tries;
    }

    /** Returns how long the item of a chunk, or each of them, may run; 0 for as long as it takes. */
    long deadlineNs(long firstIndex) {
        Retries.Tries failed = tries.isEmpty() ? null : tries.get(firstIndex);
        long deadlineNs = limits.deadlineNs();
        return failed == null || deadlineNs == 0 ? deadlineNs : Math.max(1, deadlineNs - failed.busyNs);
    }

    /** Answers items for good, from {@code index} on; one that has not returned comes with what it threw before. */
    void settle(long index, Answer answer) {
        Retries.Tries failed = tries.isEmpty() ? null : tries.remove(index);
        boolean hasReturned =
                answer instanceof Answer.Block block && block.worker().isEmpty();
        if (failed != null && !hasReturned) {
            sink.onAnswer(new Answer.Tried(index, answer, failed.failures));
        } else {
            sink.onAnswer(answer);
        }
    }

    boolean isComplete() {
        return answered == taken && source.isExhausted();
    }

    long items() {
        return answered;
    }

    /** Returns how many items were taken from its source and have no answer. */
    long unanswered() {
        return taken - answered;
    }

    /**
     * How a call wants to be run.
     *
     * @param chunkItems items in a chunk; 0 lets the pool find out
     * @param maxAttempts how often an item may be begun
     * @param deadlineNs how long an item may run, all its tries together; 0 for as long as it takes
     * @param retry how items that throw are tried again
     */
    public record Limits(int chunkItems, int maxAttempts, long deadlineNs, Retry retry) {}
}
