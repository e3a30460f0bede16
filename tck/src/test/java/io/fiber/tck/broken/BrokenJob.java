// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A simulated job with one bug. */
final class BrokenJob implements Job {

    /** How often a log is looked at before its last lines have come. */
    private static final int LOOKS = 20;

    private static final int MOST_LINES = 1_000_000;
    private static final int WHOLE = 1_000;
    /** A log that has more letters is cut to so few. */
    private static final int ROTATED = 20_000;

    private static final int KEPT = 2_000;

    private final Job real;
    private final BrokenBackend backend;
    private final BackendBug bug;
    private final JobListener listener;
    private final long number;
    private final AtomicInteger looks = new AtomicInteger();

    BrokenJob(Job real, BrokenBackend backend, BackendBug bug, JobListener listener) {
        this.real = real;
        this.backend = backend;
        this.bug = bug;
        this.listener = listener;
        this.number =
                backend.jobs().stream().filter(job -> !job.state().isFinal()).count();
    }

    JobListener listener() {
        return listener;
    }

    Job real() {
        return real;
    }

    @Override
    public String name() {
        return real.name();
    }

    @Override
    public String id() {
        return switch (bug) {
            case ONE_ID_FOR_ALL -> "job";
            // The lowest number that no living job had when it was submitted.
            case IDS_COME_AGAIN -> String.valueOf(number);
            default -> real.id();
        };
    }

    @Override
    public JobState state() {
        return bug == BackendBug.STATE_STANDS_STILL ? JobState.QUEUED : real.state();
    }

    @Override
    public void cancel(Duration grace) {
        switch (bug) {
            case CANCEL_NEVER_ASKS -> real.cancel(Duration.ZERO);
            case GRACE_IS_ENDLESS -> real.cancel(grace.isZero() ? grace : Duration.ofDays(1));
            case CANCEL_HITS_THE_NEXT -> {
                int index = backend.jobs().indexOf(this);
                backend.jobs().get((index + 1) % backend.jobs().size()).real.cancel(grace);
            }
            case SLOW_SUBMIT_BLOCKS_CANCEL -> backend.locked(() -> real.cancel(grace));
            case CANCEL_HITS_ALL -> backend.jobs().forEach(job -> job.real.cancel(grace));
            case LATE_CANCEL_IS_TOLD -> {
                if (real.state().isFinal()) {
                    listener.onEvent(new JobEvent.Ended(this, JobTermination.cancelled()));
                }
                real.cancel(grace);
            }
            case QUEUE_IS_FORGOTTEN -> {
                if (backend.isPlatformFull()) {
                    listener.onEvent(new JobEvent.Ended(this, JobTermination.cancelled()));
                } else {
                    real.cancel(grace);
                }
            }
            case CANCEL_BY_BEGINNING_OF_NAME ->
                backend.jobs().stream()
                        .filter(job -> job.name().startsWith(name()))
                        .forEach(job -> job.real.cancel(grace));
            case CANCEL_INSIDE_EVENT_LOST -> {
                if (!BrokenListener.isTelling()) {
                    real.cancel(grace);
                }
            }
            case GRACE_IN_SECONDS -> real.cancel(Duration.ofSeconds(grace.toSeconds()));
            case GRACE_OVERFLOWS -> real.cancel(Duration.ofNanos(grace.toNanos()));
            case CANCEL_FORGOTTEN_IN_OUTAGE -> {
                if (!backend.isOut()) {
                    real.cancel(grace);
                }
            }
            case CANCEL_BLOCKS -> {
                real.cancel(grace);
                long endNs = System.nanoTime() + (grace.compareTo(Duration.ofMinutes(1)) > 0 ? 2_500_000_000L : 0);
                while (System.nanoTime() - endNs < 0) {
                    LockSupport.parkNanos(10_000_000);
                }
            }
            default -> real.cancel(grace);
        }
    }

    private List<String> aliveLogs(int lastLines) {
        return new AbstractList<>() {
            @Override
            public String get(int index) {
                return real.logs(lastLines).get(index);
            }

            @Override
            public int size() {
                return real.logs(lastLines).size();
            }
        };
    }

    @Override
    public List<String> logs(int lastLines) {
        if (bug == BackendBug.LOGS_OF_UNSTARTED_THROW && !backend.hasStarted(this)) {
            throw new BackendException("no such container");
        }
        if (bug == BackendBug.LOGS_ALLOCATE_FIRST && lastLines > MOST_LINES) {
            throw new IllegalArgumentException("no heap for " + lastLines + " lines");
        }
        if (bug == BackendBug.FILES_LEAVE_LOGS_EMPTY && backend.outputOf(this) instanceof JobOutput.Files) {
            return List.of();
        }
        if (bug == BackendBug.LOGS_ARE_ALIVE) {
            return aliveLogs(lastLines);
        }
        List<String> lines = new ArrayList<>(real.logs(bug == BackendBug.LOGS_UNLIMITED ? 1_000 : lastLines));
        switch (bug) {
            case LOGS_REVERSED -> Collections.reverse(lines);
            case LOGS_WITHOUT_ERRORS -> lines.remove("to error");
            case LOGS_GONE_AT_END -> {
                if (real.state().isFinal()) {
                    lines.clear();
                }
            }
            case UNFINISHED_LINE_LOST -> lines.remove("the last line");
            case EMPTY_LINES_LOST -> lines.removeIf(String::isEmpty);
            case LOGS_ROTATE -> {
                int kept = String.join("\n", real.logs(WHOLE)).length() > ROTATED ? KEPT : ROTATED;
                while (String.join("\n", lines).length() > kept) {
                    lines.remove(0);
                }
            }
            case ERRORS_COME_AT_THE_END -> {
                if (!real.state().isFinal()) {
                    lines.remove("to error");
                }
            }
            case LINES_CUT -> lines.replaceAll(line -> line.substring(0, Math.min(line.length(), 4_096)));
            case PARTS_ARE_LINES -> {
                if (lines.remove("written in parts")) {
                    lines.addAll(List.of("written ", "in ", "parts"));
                }
            }
            case LOGS_IN_ANOTHER_CHARSET ->
                lines.replaceAll(
                        line -> new String(line.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
            case LOGS_OF_THE_FIRST -> {
                return backend.jobs().get(0).real.logs(lastLines);
            }
            case LOGS_TOO_FEW -> {
                return lines.subList(Math.max(0, lines.size() - 60), lines.size());
            }
            case LINES_COME_AGAIN -> {
                if (backend.hasSeenOutage()) {
                    lines.addAll(0, List.copyOf(lines.subList(0, Math.min(1, lines.size()))));
                }
            }
            case LOGS_COME_LATE -> {
                if (real.state().isFinal() && looks.incrementAndGet() < LOOKS) {
                    lines.clear();
                }
            }
            default -> {}
        }
        return lines;
    }
}
