// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.PoolActivity;
import io.fiber.runtime.platform.ProcessUsage;
import io.fiber.runtime.process.WorkerTitle;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** What a pool does at one moment. */
public record ActivitySnapshot(long tasksWaiting, List<PoolActivity.Worker> workers) implements PoolActivity {

    /** The activity of a pool that has ended. */
    public static final ActivitySnapshot NONE = new ActivitySnapshot(0, List.of());

    private static final int GREATEST_CALLS = 5;

    private record WorkerSnapshot(
            String name,
            State state,
            int tasksRunning,
            long tasksHeld,
            Optional<String> host,
            Optional<String> waitsFor,
            OptionalLong memoryBytes,
            Optional<Duration> cpuTime)
            implements PoolActivity.Worker {}

    static PoolActivity at(WorkerRegistry registry, Collection<Call> open, PoolEffects effects) {
        List<WorkerSlot> workers = new ArrayList<>();
        registry.all().forEach(workers::add);
        workers.sort(Comparator.comparingInt(worker -> worker.number));
        return new ActivitySnapshot(
                open.stream().mapToLong(ActivitySnapshot::waiting).sum(),
                workers.stream().map(worker -> worker(worker, effects)).toList());
    }

    /** Returns which calls are open, for a person: what runs, how far each is and what it waits for. */
    static String atCalls(Collection<Call> open) {
        if (open.isEmpty()) {
            return "its workers to end; all its calls are done.";
        }
        String calls =
                open.stream().limit(GREATEST_CALLS).map(ActivitySnapshot::words).collect(Collectors.joining("; "));
        long more = (long) open.size() - GREATEST_CALLS;
        return open.size() + (open.size() == 1 ? " call: " : " calls: ") + calls
                + (more > 0 ? "; and " + more + " more" : "") + ".";
    }

    private static String words(Call call) {
        return call.runs() + ", " + call.items() + " tasks answered, " + call.unanswered() + " with workers"
                + (call.sink.hasRoom()
                        ? ""
                        : ", held up because its stream is not being read (close the stream, or read it to its end)");
    }

    private static long waiting(Call call) {
        long[] waiting = {call.source.known() + call.unanswered()};
        call.held().forEach(chunk -> waiting[0] -= chunk.count() - chunk.answered);
        return waiting[0];
    }

    private static PoolActivity.Worker worker(WorkerSlot worker, PoolEffects effects) {
        long held = worker.slots.stream()
                .flatMap(slot -> slot.held.stream())
                .mapToLong(chunk -> chunk.count() - chunk.answered)
                .sum();
        WorkerTitle title = effects.title(worker.number);
        Optional<ProcessUsage> usage = effects.measure(worker.number);
        return new WorkerSnapshot(
                title.name(),
                worker.state,
                worker.busyThreads(),
                held,
                title.host(),
                effects.waitsFor(worker.number),
                usage.map(used -> OptionalLong.of(used.memoryBytes())).orElseGet(OptionalLong::empty),
                usage.map(used -> Duration.ofNanos(used.cpuTimeNs())));
    }
}
