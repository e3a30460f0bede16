// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/** Keeps the latest events of chunks, workers and processes from the flight recorder of this JVM. Thread-safe. */
final class Recorder implements AutoCloseable {

    /** More cannot be distinguished on a screen. */
    private static final int GREATEST_SPANS = 1_000;

    /** Limits the memory, because a program may create a pool for each of its requests. */
    static final int GREATEST_POOLS = 200;

    private static final int GREATEST_ENDINGS = 50;

    private static final int GREATEST_FAILURES = 20;

    /** The recorder writes to disk first, where events are useless once they have been read. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    /**
     * A chunk of tasks at a worker.
     *
     * @param worker number of the worker in its pool
     * @param fromMs when it was sent, in milliseconds since 1970
     * @param toMs when its last answer arrived, or it was lost
     * @param function the function that the tasks run
     * @param tasks number of tasks
     * @param failed how many of them have failed
     * @param outcome DONE, LOST, CANCELLED or TAKEN_BACK
     */
    record Span(int worker, long fromMs, long toMs, String function, int tasks, int failed, String outcome) {}

    /**
     * A failed task, as its caller was told.
     *
     * @param atMs when, in milliseconds since 1970
     * @param call number of the call within its pool, from 1
     * @param task number of the task within the call, from 0
     * @param thrown class of the exception
     * @param message its message
     */
    record Failure(long atMs, long call, long task, String thrown, String message) {}

    /**
     * A worker or a process that has ended.
     *
     * @param name its name
     * @param atMs when, in milliseconds since 1970
     * @param state how it ended, in a word
     * @param cause how it ended, in a sentence
     */
    record Ending(String name, long atMs, String state, String cause) {}

    /** The latest events of one pool. */
    private static final class OfPool {
        private final Deque<Span> spans = new ArrayDeque<>();
        private final Deque<Failure> failures = new ArrayDeque<>();
        private final AnswerCounts answers = new AnswerCounts();
    }

    private final RecordingStream stream = new RecordingStream();
    /** The pools of this JVM with the most recent events or requests, even if they are not shown. */
    private final Map<String, OfPool> pools = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, OfPool> eldest) {
            return size() > GREATEST_POOLS;
        }
    };

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

    private void onChunk(RecordedEvent event) {
        add(
                text(event, "pool"),
                new Span(
                        event.getInt("worker"),
                        event.getStartTime().toEpochMilli(),
                        event.getEndTime().toEpochMilli(),
                        text(event, "function"),
                        event.getInt("tasks"),
                        event.getInt("failed"),
                        text(event, "outcome")),
                event.getInt("answered"));
    }

    synchronized void add(String pool, Span span, int answered) {
        OfPool latest = of(pool);
        latest.spans.add(span);
        if (latest.spans.size() > GREATEST_SPANS) {
            latest.spans.remove();
        }
        latest.answers.add(TimeUnit.MILLISECONDS.toSeconds(span.toMs()), answered);
    }

    private OfPool of(String pool) {
        return pools.computeIfAbsent(pool, name -> new OfPool());
    }

    /** Returns what is known of a pool, without evicting another one. */
    private OfPool known(String pool) {
        return pools.getOrDefault(pool, new OfPool());
    }

    private synchronized void onFailure(RecordedEvent event) {
        Deque<Failure> latest = of(text(event, "pool")).failures;
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

    /** Returns the latest chunks of a pool, in the order in which they were reported. */
    synchronized List<Span> timeline(String pool) {
        return new ArrayList<>(known(pool).spans);
    }

    /** Returns the latest failures of a pool's tasks, latest first. */
    synchronized List<Failure> failures(String pool) {
        return new ArrayList<>(known(pool).failures);
    }

    /** Returns how many tasks were answered in each of the last seconds before {@code endS}, oldest first. */
    synchronized List<Integer> answersPerSecond(String pool, long endS) {
        return known(pool).answers.until(endS);
    }

    /** Returns the latest ends, latest first. */
    synchronized List<Ending> endings() {
        return new ArrayList<>(endings);
    }

    @Override
    public void close() {
        stream.close();
    }
}
