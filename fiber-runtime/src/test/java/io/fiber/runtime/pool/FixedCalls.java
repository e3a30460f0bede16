// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.Retry;
import io.fiber.runtime.pool.Items.Form;
import io.fiber.runtime.process.SubmissionBudget;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.ArrayList;
import java.util.List;

/** Calls whose answers are written down, one line each. */
final class FixedCalls {

    private FixedCalls() {}

    static TaskFunction function(int id) {
        TaskFunction function = new TaskFunction(id, SealedPayload.none());
        function.claim();
        return function;
    }

    static Call of(TaskFunction function, Source source, int chunkItems, int maxAttempts) {
        return of(function, source, new Call.Limits(chunkItems, maxAttempts, 0, Retry.times(0)));
    }

    static Call of(TaskFunction function, Source source, Call.Limits limits) {
        return new Call(function, source, limits, new Lines());
    }

    /** Returns {@code count} ints from {@code first} on. */
    static RangeSource ints(int first, long count) {
        return new RangeSource(Form.INT_RANGE, first, count);
    }

    static Call ofRange(int items, int chunkItems, int maxAttempts) {
        return of(function(1), ints(0, items), chunkItems, maxAttempts);
    }

    static Call ofOne() {
        return of(function(1), new ItemSource(SealedPayload.none(), () -> {}), 0, 3);
    }

    /** Returns a source of blocks that are not counted beside those of other calls. */
    static BlockSource blocks(Runnable wakeFeeder) {
        return new BlockSource(wakeFeeder, new SubmissionBudget(Long.MAX_VALUE));
    }

    /** Feeds a block, if there is room. */
    static boolean offer(BlockSource blocks, int items, SealedPayload payload) {
        if (!blocks.reserve(items, payload.length())) {
            return false;
        }
        blocks.add(items, payload);
        return true;
    }

    static List<String> lines(Call call) {
        return ((Lines) call.sink).lines;
    }

    /** A sink that has room and writes down what it hears. */
    private static final class Lines extends SinkByKind {
        private final List<String> lines = new ArrayList<>();

        @Override
        void onResults(long firstIndex, int count, SealedPayload results) {
            lines.add("results " + firstIndex + " + " + count);
        }

        @Override
        void onLost(long index, int attempts, Loss loss) {
            lines.add("lost " + index + " after " + attempts + ": " + loss.end().how());
        }

        @Override
        void onOverdue(long index, String worker) {
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
