// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import io.fiber.Progress;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The progress of this process's long calls, for one page. Thread-safe. */
final class LongCalls implements AutoCloseable {

    private static final Set<LongCalls> OPEN = ConcurrentHashMap.newKeySet();

    private record Key(String pool, long call) {}

    /**
     * A running call.
     *
     * @param number number of the call within its pool, counted from 1
     * @param done how many of its tasks are done
     * @param failed how many have failed
     * @param total how many tasks it has; -1 if unknown
     * @param elapsedMs time since it began, when the progress was reported
     */
    record Call(long number, long done, long failed, long total, long elapsedMs) {
        private static final long UNKNOWN = -1;

        static Call of(Progress progress) {
            return new Call(
                    progress.call(),
                    progress.done(),
                    progress.failed(),
                    progress.total().orElse(UNKNOWN),
                    progress.elapsed().toMillis());
        }
    }

    private final Map<Key, Call> running = new ConcurrentHashMap<>();

    LongCalls() {
        OPEN.add(this);
    }

    /** Passes a report on to all open pages. */
    static void tell(Progress progress) {
        OPEN.forEach(page -> page.take(progress));
    }

    private void take(Progress progress) {
        Key key = new Key(progress.pool(), progress.call());
        if (progress.state() == Progress.State.ENDED) {
            running.remove(key);
        } else {
            running.put(key, Call.of(progress));
        }
    }

    /** Returns the calls of a pool, oldest first. */
    List<Call> of(String pool) {
        return running.entrySet().stream()
                .filter(entry -> entry.getKey().pool().equals(pool))
                .map(Map.Entry::getValue)
                .sorted(Comparator.comparingLong(Call::number))
                .toList();
    }

    @Override
    public void close() {
        OPEN.remove(this);
    }
}
