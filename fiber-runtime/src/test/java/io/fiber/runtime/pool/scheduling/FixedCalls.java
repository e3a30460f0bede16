// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.FiberException;
import io.fiber.Retry;
import io.fiber.runtime.pool.scheduling.Items.Form;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.ArrayList;
import java.util.List;

/** Calls whose answers are written down, one line each. */
public final class FixedCalls {

    private FixedCalls() {}

    /** Returns a function that a call has claimed. */
    public static TaskFunction function(int id) {
        TaskFunction function = new TaskFunction(id, SealedPayload.none());
        function.claim();
        return function;
    }

    /** Returns a call that has no deadline and no retries. */
    public static Call of(TaskFunction function, Source source, int chunkItems, int maxAttempts) {
        return of(function, source, new Call.Limits(chunkItems, maxAttempts, 0, Retry.times(0)));
    }

    /** Returns a call whose answers are written down. */
    public static Call of(TaskFunction function, Source source, Call.Limits limits) {
        return new Call(function, source, limits, new Lines());
    }

    /** Returns {@code count} ints from {@code first} on. */
    public static RangeSource ints(int first, long count) {
        return new RangeSource(Form.INT_RANGE, first, count);
    }

    /** Returns a call of ints from 0 on. */
    public static Call ofRange(int items, int chunkItems, int maxAttempts) {
        return of(function(1), ints(0, items), chunkItems, maxAttempts);
    }

    /** Returns a call of one item. */
    public static Call ofOne() {
        return of(function(1), new ItemSource(SealedPayload.none(), () -> {}), 0, 3);
    }

    /** Tells whether a call has ended. */
    public static boolean isEnded(Call call) {
        return call.isEnded();
    }

    /** Ends a call for which no machine does so. */
    public static void end(Call call) {
        call.end();
    }

    /** Returns what a call was answered. */
    public static List<String> lines(Call call) {
        return ((Lines) call.sink).lines;
    }

    /** A sink that has room and writes down what it hears. */
    private static final class Lines extends SinkByKind {
        private final List<String> lines = new ArrayList<>();

        @Override
        protected void onResults(long firstIndex, int count, SealedPayload results) {
            lines.add("results " + firstIndex + " + " + count);
        }

        @Override
        protected void onLost(long index, int attempts, Loss loss) {
            lines.add("lost " + index + " after " + attempts + ": " + loss.end().how());
        }

        @Override
        protected void onOverdue(long index, String worker) {
            lines.add("overdue " + index + " at " + worker);
        }

        @Override
        public void onEnd(long items) {
            lines.add("end of " + items);
        }

        @Override
        public void onBroken(FiberException cause) {
            lines.add("broken " + cause.code());
        }

        @Override
        public boolean hasRoom() {
            return true;
        }
    }
}
