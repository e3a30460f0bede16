// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.runtime.protocol.PayloadInput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts results into their places. Used by one thread at a time. */
final class Collector implements ConsumerParking.Condition {

    private final Answers answers;
    private final ResultReader reader;
    private final ResultArray results = new ResultArray();
    private boolean complete;
    private @Nullable RuntimeException failure;

    Collector(Answers answers, ResultReader reader) {
        this.answers = answers;
        this.reader = reader;
    }

    /** Takes all events that are there; stops at the first failure. */
    void drain() {
        for (Answers.Event event = answers.poll(); event != null && !isDone(); event = answers.poll()) {
            try {
                take(event);
            } catch (FiberException e) {
                failure = e;
            }
        }
    }

    /** Takes all events that are there, and tells whether nothing more is to be waited for. */
    @Override
    public boolean isTrue() {
        drain();
        return isDone();
    }

    private void take(Answers.Event event) {
        if (event instanceof Answers.Block block) {
            PayloadInput in = reader.open(block);
            int first = Math.toIntExact(block.firstIndex());
            results.reserve(first + block.count());
            for (int i = 0; i < block.count(); i++) {
                results.set(first + i, reader.read(in, block, block.firstIndex() + i));
            }
            answers.consumed(block);
        } else if (event instanceof Answers.Refused refused) {
            failure = reader.refused(refused);
        } else if (event instanceof Answers.Broken broken) {
            failure = broken.thrown();
        } else {
            complete = true;
        }
    }

    /** Tells whether nothing more is to be waited for. */
    boolean isDone() {
        return complete || failure != null;
    }

    /** Returns what went wrong first; null when nothing did. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }

    /** Returns the results in the order of the items. */
    List<@Nullable Object> results() {
        return results.toList();
    }
}
