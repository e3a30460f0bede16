// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/** What the flight recorder of this JVM tells of chunks, workers and processes: the latest of it is kept. Thread-safe. */
final class Recorder implements AutoCloseable {

    /** More cannot be told apart on a screen. */
    private static final int GREATEST_SPANS = 1_000;

    private static final int GREATEST_ENDINGS = 50;

    private static final int GREATEST_FAILURES = 20;

    /** The recorder writes to disk first; what was read is of no use there. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    /**
     * A chunk of tasks that was at a worker.
     *
     * @param worker number of the worker in its pool
     * @param fromMs when it was handed over, in milliseconds since 1970
     * @param toMs when its last answer came, or it was lost
     * @param function what they run
     * @param tasks how many tasks
     * @param failed how many of them have failed
     * @param outcome DONE, LOST, CANCELLED or TAKEN_BACK
     */
    record Span(int worker, long fromMs, long toMs, String function, int tasks, int failed, String outcome) {}

    /**
     * A task that has failed, as its caller was told.
     *
     * @param atMs when, in milliseconds since 1970
     * @param call which of the pool's calls, from 1
     * @param task which task of the call, from 0
     * @param thrown class of what it threw
     * @param message what the caller was told
     */
    record Failure(long atMs, long call, long task, String thrown, String message) {}

    /**
     * A worker or a process that has ended.
     *
     * @param name its name
     * @param atMs when, in milliseconds since 1970
     * @param state how, in a word
     * @param cause how, in a sentence
     */
    record Ending(String name, long atMs, String state, String cause) {}

    private final RecordingStream stream = new RecordingStream();
    private final Map<String, Deque<Span>> spans = new HashMap<>();
    private final Map<String, Deque<Failure>> failures = new HashMap<>();
    private final Map<String, AnswerCounts> answers = new HashMap<>();
    private final Deque<Ending> endings = new ArrayDeque<>();

    Recorder() {
        stream.enable("io.fiber.Chunk");
        stream.onEvent("io.fiber.Chunk", this::onChunk);
        stream.enable("io.fiber.Failure");
        stream.onEvent("io.fiber.Failure", this::onFailure);
        for (String life : List.of("io.fiber.Worker", "io.fiber.Process")) {
            stream.enable(life);
            stream.onEvent(life, this::onEnding);
        }
        stream.setMaxAge(KEPT);
        stream.startAsync();
    }

    private synchronized void onChunk(RecordedEvent event) {
        Deque<Span> latest = spans.computeIfAbsent(text(event, "pool"), pool -> new ArrayDeque<>());
        latest.add(new Span(
                event.getInt("worker"),
                event.getStartTime().toEpochMilli(),
                event.getEndTime().toEpochMilli(),
                text(event, "function"),
                event.getInt("tasks"),
                event.getInt("failed"),
                text(event, "outcome")));
        if (latest.size() > GREATEST_SPANS) {
            latest.remove();
        }
        answers.computeIfAbsent(text(event, "pool"), pool -> new AnswerCounts())
                .add(event.getEndTime().getEpochSecond(), event.getInt("answered"));
    }

    private synchronized void onFailure(RecordedEvent event) {
        Deque<Failure> latest = failures.computeIfAbsent(text(event, "pool"), pool -> new ArrayDeque<>());
        latest.addFirst(new Failure(
                event.getEndTime().toEpochMilli(),
                event.getLong("call"),
                event.getLong("task"),
                text(event, "thrown"),
                text(event, "message")));
        if (latest.size() > GREATEST_FAILURES) {
            latest.removeLast();
        }
    }

    private synchronized void onEnding(RecordedEvent event) {
        endings.addFirst(new Ending(
                text(event, "name"), event.getEndTime().toEpochMilli(), text(event, "state"), text(event, "cause")));
        if (endings.size() > GREATEST_ENDINGS) {
            endings.removeLast();
        }
    }

    private static String text(RecordedEvent event, String field) {
        return String.valueOf(event.getString(field));
    }

    /** Returns the latest chunks of a pool, in the order in which they were told. */
    synchronized List<Span> timeline(String pool) {
        return new ArrayList<>(spans.getOrDefault(pool, new ArrayDeque<>()));
    }

    /** Returns the latest failures of a pool's tasks, the last one first. */
    synchronized List<Failure> failures(String pool) {
        return new ArrayList<>(failures.getOrDefault(pool, new ArrayDeque<>()));
    }

    /** Returns how many tasks were answered in each of the last seconds before {@code endS}, the oldest first. */
    synchronized List<Integer> answersPerSecond(String pool, long endS) {
        return answers.getOrDefault(pool, new AnswerCounts()).until(endS);
    }

    /** Returns the latest ends, the last one first. */
    synchronized List<Ending> endings() {
        return new ArrayList<>(endings);
    }

    @Override
    public void close() {
        stream.close();
    }
}
