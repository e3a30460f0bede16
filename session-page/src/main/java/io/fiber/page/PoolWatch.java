// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import io.fiber.Pool;
import io.fiber.PoolActivity;
import io.fiber.PoolStatistics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A pool that is shown.
 *
 * @param pool the pool
 */
record PoolWatch(Pool pool) {

    private static final int LOG_LINES = 20;

    /**
     * A pool at one moment, as the page is told of it.
     *
     * @param name its name
     * @param state where it stands
     * @param processes how many workers it should have
     * @param counted what it has counted
     * @param tasksWaiting tasks that are with no worker
     * @param tasksRunning tasks that run
     * @param calls its long calls that run
     * @param workers its workers
     * @param timeline what its workers have done lately
     * @param answersPerSecond how many tasks were answered in each of the last seconds, the oldest first
     * @param failures its tasks that have failed last, the latest first
     */
    record Picture(
            String name,
            String state,
            int processes,
            PoolStatistics counted,
            long tasksWaiting,
            int tasksRunning,
            List<LongCalls.Call> calls,
            List<Row> workers,
            List<Recorder.Span> timeline,
            List<Integer> answersPerSecond,
            List<Recorder.Failure> failures) {}

    /** A worker as {@link PoolActivity.Worker} tells of it; where that has none, a text is empty and a number 0. */
    record Row(
            String name,
            PoolActivity.State state,
            int tasksRunning,
            long tasksHeld,
            String host,
            String waitsFor,
            long memoryBytes,
            long cpuMs) {
        static Row of(PoolActivity.Worker worker) {
            return new Row(
                    worker.name(),
                    worker.state(),
                    worker.tasksRunning(),
                    worker.tasksHeld(),
                    worker.host().orElse(""),
                    worker.waitsFor().orElse(""),
                    worker.memoryBytes().orElse(0),
                    worker.cpuTime().map(Duration::toMillis).orElse(0L));
        }
    }

    Picture picture(PageState page, long nowMs) {
        Recorder recorder = page.recorder();
        PoolActivity activity = pool.activity();
        return new Picture(
                pool.name(),
                pool.state().name(),
                pool.workers(),
                pool.statistics(),
                activity.tasksWaiting(),
                activity.tasksRunning(),
                page.calls().of(pool.name()),
                activity.workers().stream().map(Row::of).toList(),
                recorder.timeline(pool.name()),
                recorder.answersPerSecond(pool.name(), TimeUnit.MILLISECONDS.toSeconds(nowMs)),
                recorder.failures(pool.name()));
    }

    /** Returns what its workers wrote last, by their names; may ask the platform. */
    Map<String, List<String>> logs() {
        try {
            return pool.logs(LOG_LINES);
        } catch (UnsupportedOperationException e) {
            return Map.of("", List.of(String.valueOf(e.getMessage())));
        }
    }
}
