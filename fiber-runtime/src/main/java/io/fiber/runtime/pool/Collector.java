// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.runtime.pool.scheduling.Answer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Takes the answers of a call to its end. Used by one thread at a time. */
final class Collector implements BooleanSupplier {

    private final Answers answers;
    private final ResultReader reader;
    private final ResultSink results;
    private boolean complete;
    private @Nullable RuntimeException failure;

    Collector(Answers answers, ResultReader reader, ResultSink results) {
        this.answers = answers;
        this.reader = reader;
        this.results = results;
    }

    /** Takes all events that are there, up to the first failure; tells whether nothing more is to be waited for. */
    @Override
    public boolean getAsBoolean() {
        for (Answer event = answers.poll(); event != null && !isDone(); event = answers.poll()) {
            try {
                take(event);
            } catch (RuntimeException e) {
                failure = e;
            }
        }
        return isDone();
    }

    private void take(Answer event) {
        if (event instanceof Answer.Block block) {
            results.add(block, reader);
            answers.consumed(block);
        } else if (event instanceof Answer.Refused refused) {
            failure = reader.refused(refused);
        } else if (event instanceof Answer.Broken broken) {
            failure = broken.thrown();
        } else {
            complete = true;
        }
    }

    private boolean isDone() {
        return complete || failure != null;
    }

    /** Returns what went wrong first; null when nothing did. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }
}
