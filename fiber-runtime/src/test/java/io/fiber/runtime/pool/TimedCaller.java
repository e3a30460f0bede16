// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.Retry;
import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.FixedCalls;
import io.fiber.runtime.pool.scheduling.TaskFunction;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A caller of a simulation without faults, one call after the other: does in a thread of its own what {@link CallEngine} does
 * in that of a caller.
 */
public final class TimedCaller {

    private static final int WAKE_AT_ITEMS = 4096;
    private static final int ATTEMPTS = 3;

    private final VirtualPool pool;
    private final Codecs codecs;
    private final Threads threads;
    private int functions;

    /**
     * The threads of the master.
     *
     * @param seals what seals payloads
     * @param command has the conductor run something
     * @param caller has the thread of the caller run something
     */
    public record Threads(Seals seals, Consumer<Runnable> command, Consumer<Runnable> caller) {}

    /** Creates the caller of a pool. */
    public TimedCaller(VirtualPool pool, Codecs codecs, Threads threads) {
        this.pool = pool;
        this.codecs = codecs;
        this.threads = threads;
    }

    /** Waits until all workers are ready. */
    @SuppressWarnings("FutureReturnValueIgnored")
    public void awaitReady(Runnable then) {
        CompletableFuture<@Nullable Void> ready = new CompletableFuture<>();
        ready.thenRun(then);
        threads.command.accept(() -> pool.driver().awaitReady(ready));
    }

    /** Maps a function over the first ints; called by the thread of the caller, as {@code then} is. */
    public void map(Object function, int items, int chunkItems, Runnable then) {
        PayloadOutput out = new PayloadOutput();
        codecs.values().write(function, out);
        TaskFunction sent = new TaskFunction(++functions, threads.seals.close(out.toPayload()));
        sent.claim();
        Consumption consumption = new Consumption(sent, items, then);
        Call call = new Call(
                sent,
                FixedCalls.ints(0, items),
                new Call.Limits(chunkItems, ATTEMPTS, 0, Retry.times(0)),
                consumption.answers);
        threads.command.accept(() -> pool.driver().machine.onCall(call));
    }

    /** What the thread of the caller does with the results of a map. */
    private final class Consumption {
        private final TaskFunction function;
        private final int items;
        private final Runnable then;
        private final Answers answers;
        private final ResultArray results = new ResultArray();
        private final Collector collector;
        private boolean isDue;

        Consumption(TaskFunction function, int items, Runnable then) {
            this.function = function;
            this.items = items;
            this.then = then;
            this.answers = new Answers(Answers.Room.UNBOUNDED, WAKE_AT_ITEMS, this::wake, () -> {});
            this.collector = new Collector(answers, EncodedResults.reader(codecs, threads.seals), results);
        }

        private void wake() {
            if (!isDue) {
                isDue = true;
                threads.caller.accept(this::collect);
            }
        }

        private void collect() {
            isDue = false;
            if (collector.getAsBoolean()) {
                check(results.toList());
                threads.command.accept(() -> pool.driver().retire(function));
                then.run();
            }
        }

        private void check(List<@Nullable Object> collected) {
            if (collector.failure() != null || collected.size() != items) {
                throw new AssertionError(collected.size() + " results, not " + items, collector.failure());
            }
            for (int i = 0; i < items; i++) {
                if (!Integer.valueOf(i).equals(collected.get(i))) {
                    throw new AssertionError("result " + i + " is " + collected.get(i));
                }
            }
        }
    }
}
