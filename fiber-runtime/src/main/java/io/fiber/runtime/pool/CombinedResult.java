// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.worker.CombinedFunction;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The results of a call combined to one, in the order of the items: neighbours are combined as they arrive, so that what is
 * kept does not grow with the call. Used by one thread at a time.
 *
 * @param <R> a result
 */
final class CombinedResult<R extends @Nullable Object> implements ResultSink {

    private final CombinedFunction<?, R> function;
    /** Parts of which none is the next one's neighbour, by their first items. */
    private final TreeMap<Long, Part<R>> parts = new TreeMap<>();

    CombinedResult(CombinedFunction<?, R> function) {
        this.function = function;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a result is what the function returned, null where it may
    public void add(Answer.Block block, ResultReader reader) {
        long first = block.firstIndex();
        long end = first + block.count();
        R value = (R) reader.readCombined(block, (left, right) -> function.combine((R) left, (R) right));
        Map.Entry<Long, Part<R>> before = parts.lowerEntry(first);
        if (before != null && before.getValue().end() == first) {
            first = before.getKey();
            value = function.combine(before.getValue().value(), value);
        }
        Part<R> behind = parts.remove(end);
        if (behind != null) {
            end = behind.end();
            value = function.combine(value, behind.value());
        }
        parts.put(first, new Part<>(end, value));
    }

    /** Returns what all results were combined to, behind an initial value. */
    R behind(R initial) {
        if (parts.isEmpty()) {
            return initial;
        }
        return function.combine(initial, requireNonNull(parts.get(0L)).value());
    }

    /** What consecutive items were combined to, up to the one before {@code end}. */
    private record Part<R extends @Nullable Object>(long end, R value) {}
}
