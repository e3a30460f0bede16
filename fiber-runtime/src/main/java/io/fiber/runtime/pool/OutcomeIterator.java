// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.Outcome;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** What became of each item of a call. Used by one thread at a time. */
final class OutcomeIterator implements Iterator<Outcome<@Nullable Object>> {

    private final ResultIterator results;
    private long nextIndex;

    OutcomeIterator(ResultIterator results) {
        this.results = results;
    }

    /** Throws what ended the whole call. */
    @Override
    public boolean hasNext() {
        return results.hasNext();
    }

    @Override
    @SuppressWarnings("NullAway") // a result may be null
    public Outcome<@Nullable Object> next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        long index = nextIndex++;
        try {
            return new Outcome.Success<>(index, results.next());
        } catch (FiberException e) {
            return new Outcome.Failure<>(index, e);
        }
    }
}
