// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.function.RemoteFunction;
import io.fiber.tck.fault.Signal;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording tells who did what when, and how it ended. */
@Tag("slow")
class FlightRecordingTest {

    private static final int TASKS = 120;
    private static final int CHUNK = 20;

    @TempDir
    Path tmp;

    @Test
    void timelineCanBeRebuiltFromTheMastersRecording() throws IOException {
        Path file = tmp.resolve("master.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            try (Fiber fiber = LocalFiber.open()) {
                loseOneWorkerOfTwo(fiber);
                FiberProcess process = fiber.process(() -> System.exit(3));
                assertThat(process.join()).isEqualTo(3);
            }
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        List<RecordedEvent> workers = named(events, "io.fiber.Worker");
        assertThat(workers)
                .hasSize(3)
                .allSatisfy(worker -> assertThat(worker.getLong("startUp"))
                        .isBetween(1L, worker.getDuration().toNanos()));
        RecordedEvent lost = only(workers, "state", "LOST");
        assertThat(lost.getString("cause")).contains("signal 9");
        assertThat(lost.getString("jobId")).isNotEmpty();
        assertThat(workers)
                .filteredOn(worker -> worker.getString("state").equals("EXITED"))
                .hasSize(2);

        List<RecordedEvent> chunks = named(events, "io.fiber.Chunk");
        assertThat(answeredTasks(chunks)).containsExactlyElementsOf(LocalFiber.numbers(TASKS));
        assertThat(chunks).anySatisfy(chunk -> {
            assertThat(chunk.getString("outcome")).isEqualTo("LOST");
            assertThat(lost.getString("name")).endsWith("-" + chunk.getInt("worker"));
        });
        assertThat(chunks).allSatisfy(chunk -> {
            assertThat(chunk.getString("pool")).isEqualTo("recorded");
            RecordedEvent worker = workerOf(workers, chunk);
            assertThat(chunk.getStartTime()).isAfterOrEqualTo(worker.getStartTime());
            assertThat(chunk.getEndTime()).isBeforeOrEqualTo(worker.getEndTime());
        });

        RecordedEvent process = named(events, "io.fiber.Process").get(0);
        assertThat(process.getString("state")).isEqualTo("EXITED");
        assertThat(process.getString("cause")).contains("3");
    }

    /** No worker is done with a chunk before one of them is killed. */
    private void loseOneWorkerOfTwo(Fiber fiber) {
        Path notes = tmp.resolve("pids");
        String name = notes.toString();
        String killed = tmp.resolve("killed").toString();
        RemoteFunction<Integer, Integer> task = item -> {
            LocalFiber.note(name, LocalFiber.pid());
            if (item % CHUNK >= CHUNK / 2) {
                LocalFiber.awaitNotes(Path.of(killed), 1);
            }
            return item;
        };
        try (Pool pool = fiber.poolBuilder(2).name("recorded").build()) {
            CompletableFuture<List<Integer>> results =
                    pool.with(CallOptions.defaults().chunkSize(CHUNK)).mapAsync(task, LocalFiber.numbers(TASKS));
            LocalFiber.awaitNotes(notes, 10);
            Signal.KILL.send(Long.parseLong(LocalFiber.notes(notes).get(9)));
            LocalFiber.note(killed, "one");
            assertThat(results).succeedsWithin(LocalFiber.LIMIT).isEqualTo(LocalFiber.numbers(TASKS));
            await("the replacement")
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> pool.statistics().workersStarted() == 3);
        }
    }

    @Test
    void failuresAndFunctionsAreInTheCallersRecording() throws IOException {
        Path file = tmp.resolve("caller.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            try (Fiber fiber = LocalFiber.open();
                    Pool pool = fiber.poolBuilder(1).name("recorded").build()) {
                assertThatThrownBy(() -> pool.map(FlightRecordingTest::inverse, List.of(1, 2, 0, 3)))
                        .isInstanceOf(RemoteTaskException.class);
            }
            recording.stop();
            recording.dump(file);
        }

        List<RecordedEvent> events = RecordingFile.readAllEvents(file);

        assertThat(named(events, "io.fiber.Failure")).singleElement().satisfies(failure -> {
            assertThat(failure.getString("pool")).isEqualTo("recorded");
            assertThat(failure.getLong("call")).isEqualTo(1);
            assertThat(failure.getLong("task")).isEqualTo(2);
            assertThat(failure.getString("thrown")).isEqualTo("java.lang.ArithmeticException");
            assertThat(failure.getString("message"))
                    .startsWith("FBR-401 Task 2 of pool 'recorded'")
                    .contains("/ by zero");
        });
        assertThat(named(events, "io.fiber.Chunk"))
                .isNotEmpty()
                .allSatisfy(chunk -> assertThat(chunk.getString("function"))
                        .isEqualTo("io.fiber.backend.local.FlightRecordingTest::inverse"));
        assertThat(named(events, "io.fiber.Chunk").stream().mapToInt(chunk -> chunk.getInt("failed")))
                .as("tasks that failed")
                .contains(1)
                .allMatch(failed -> failed <= 1);
    }

    private static int inverse(int item) {
        return 12 / item;
    }

    @Test
    void workerRecordsItsTasksWhenItsJvmIsToldTo() throws IOException {
        Path file = tmp.resolve("worker.jfr");
        String name = file.toString();
        try (Fiber fiber = LocalFiber.builder()
                        .set("fiber.worker.jvm-options", "-Xlog:jfr+startup=off,-XX:StartFlightRecording")
                        .open();
                Pool pool = fiber.pool(1)) {
            assertThatThrownBy(() -> pool.map(FlightRecordingTest::inverse, List.of(1, 2, 3, 0)))
                    .isInstanceOf(RemoteTaskException.class);
            assertThat(pool.<Boolean>apply(() -> dump(name))).isTrue();
        }

        List<RecordedEvent> tasks = named(RecordingFile.readAllEvents(file), "io.fiber.Task");

        assertThat(tasks)
                .extracting(task -> task.getString("thrown"))
                .containsExactlyInAnyOrder("", "", "", "java.lang.ArithmeticException");
        assertThat(tasks).allSatisfy(task -> assertThat(task.getInt("attempt")).isEqualTo(1));
    }

    /** Not left to the end of the worker, which does not wait long for what a JVM does there. */
    private static boolean dump(String file) throws IOException {
        try (Recording soFar = FlightRecorder.getFlightRecorder().takeSnapshot()) {
            soFar.dump(Path.of(file));
            return soFar.getSize() > 0;
        }
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }

    private static RecordedEvent only(List<RecordedEvent> events, String field, String value) {
        List<RecordedEvent> found = events.stream()
                .filter(event -> event.getString(field).equals(value))
                .toList();
        assertThat(found).as("events whose %s is %s", field, value).hasSize(1);
        return found.get(0);
    }

    private static List<Integer> answeredTasks(List<RecordedEvent> chunks) {
        return chunks.stream()
                .flatMap(chunk -> {
                    int first = (int) chunk.getLong("firstTask");
                    return IntStream.range(first, first + chunk.getInt("answered"))
                            .boxed();
                })
                .sorted()
                .toList();
    }

    private static RecordedEvent workerOf(List<RecordedEvent> workers, RecordedEvent chunk) {
        return workers.stream()
                .filter(worker -> worker.getString("name").endsWith("-" + chunk.getInt("worker")))
                .findAny()
                .orElseThrow();
    }
}
