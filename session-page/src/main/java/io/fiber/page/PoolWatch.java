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
     * A pool at one moment, as sent to the page.
     *
     * @param name its name
     * @param state its state
     * @param processes its intended number of workers
     * @param counted its counters
     * @param tasksWaiting tasks that are not with a worker
     * @param tasksRunning tasks that run
     * @param calls its running long calls
     * @param workers its workers
     * @param timeline what its workers have done recently
     * @param answersPerSecond how many tasks were answered in each of the last seconds, oldest first
     * @param failures its last failed tasks, latest first
     */
    record Picture(
            String name,
            String state,
            int processes,
            Counters counted,
            long tasksWaiting,
            int tasksRunning,
            List<LongCalls.Call> calls,
            List<Row> workers,
            List<Recorder.Span> timeline,
            List<Integer> answersPerSecond,
            List<Recorder.Failure> failures) {}

    /** The counters, as in {@link PoolStatistics}. */
    record Counters(
            long tasksDone,
            long tasksFailed,
            long tasksRetried,
            long chunksRerun,
            long workersStarted,
            long workersLost,
            long duplicatesIgnored) {
        static Counters of(PoolStatistics statistics) {
            return new Counters(
                    statistics.tasksDone(),
                    statistics.tasksFailed(),
                    statistics.tasksRetried(),
                    statistics.chunksRerun(),
                    statistics.workersStarted(),
                    statistics.workersLost(),
                    statistics.duplicatesIgnored());
        }
    }

    /** A worker, as in {@link PoolActivity.Worker}; an unknown text is empty and an unknown number 0. */
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
                Counters.of(pool.statistics()),
                activity.tasksWaiting(),
                activity.tasksRunning(),
                page.calls().of(pool.name()),
                activity.workers().stream().map(Row::of).toList(),
                recorder.timeline(pool.name()),
                recorder.answersPerSecond(pool.name(), TimeUnit.MILLISECONDS.toSeconds(nowMs)),
                recorder.failures(pool.name()));
    }

    /** Returns the last lines that its workers wrote, by their names. May ask the platform. */
    Map<String, List<String>> logs() {
        try {
            return pool.logs(LOG_LINES);
        } catch (UnsupportedOperationException e) {
            return Map.of("", List.of(String.valueOf(e.getMessage())));
        }
    }
}
