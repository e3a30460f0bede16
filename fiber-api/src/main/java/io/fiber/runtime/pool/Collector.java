// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.runtime.wire.PayloadInput;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts results into their places. Used by one thread at a time. */
final class Collector {

    private static final int FIRST_CAPACITY = 16;

    private final Answers answers;
    private final ResultReader reader;
    private @Nullable Object[] results = new @Nullable Object[FIRST_CAPACITY];
    private int size;
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

    private void take(Answers.Event event) {
        if (event instanceof Answers.Block block) {
            PayloadInput in = reader.open(block);
            int first = Math.toIntExact(block.firstIndex());
            reserve(first + block.count());
            for (int i = 0; i < block.count(); i++) {
                results[first + i] = reader.read(in, block.firstIndex() + i);
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

    private void reserve(int length) {
        if (length > results.length) {
            results = Arrays.copyOf(results, Math.max(length, results.length * 2));
        }
        size = Math.max(size, length);
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
        return Collections.unmodifiableList(
                Arrays.asList(size == results.length ? results : Arrays.copyOf(results, size)));
    }
}
