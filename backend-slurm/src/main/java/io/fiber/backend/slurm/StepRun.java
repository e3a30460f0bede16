// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One srun: it lives as long as its step, and ends as that ends. Its end is waited for by a thread of its own and not by {@link
 * Process#onExit}, whose answers come from the common pool: a program that fills that pool would learn late of the end, and
 * count too long a life. Thread-safe.
 */
final class StepRun {

    private static final String BUSY = "step creation temporarily disabled";
    private static final String CREATED = "Step created for";

    /** srun says nothing about a step that starts at once, and reports a wait a minute late. Only the job script knows. */
    private static final String UNSAID = "CONFIGURING";

    /** A step of Slurm is listed as soon as it has room. */
    private static final Duration SOON = Duration.ofSeconds(3);

    /** Longer than the end of another step may take, with its KillWait. */
    static final Duration WAIT_LIMIT = Duration.ofSeconds(60);

    private static final String ALLOCATION = "this job's allocation";
    private static final String NO_ROOM =
            "it has waited for " + WAIT_LIMIT.toSeconds() + " s for room that other steps of the job hold";
    private static final int LAST_LINES = 3;
    private static final long WAITER_STACK_BYTES = 128 * 1024;

    /** Whose presence in what srun says stands for a state. */
    private enum Sign {
        REFUSED("Unable to create step", QueueRow.REFUSED),
        ENDED("Expired or invalid job", QueueRow.ALLOCATION_ENDED),
        MEMORY("Out Of Memory", "OUT_OF_MEMORY"),
        MEMORY_EVENT("oom-kill", "OUT_OF_MEMORY"),
        NODE("Node failure", "NODE_FAIL"),
        CANCELLED("Job step aborted", "CANCELLED");

        private final String text;
        private final String state;

        Sign(String text, String state) {
            this.text = text;
            this.state = state;
        }
    }

    private final Process process;
    private final Path errors;
    private final Optional<Duration> limit;
    private final LongSupplier clock;
    private final long beganNs;
    private volatile boolean hasRoom;
    private volatile boolean waits;
    private volatile boolean givenUp;
    private @Nullable Duration life;
    private @Nullable Thread waiter;

    /**
     * Creates one that has just been started.
     *
     * @param process of srun
     * @param errors what srun itself has to say
     * @param limit how long its step may last
     * @param clock in nanoseconds
     */
    StepRun(Process process, Path errors, Optional<Duration> limit, LongSupplier clock) {
        this.process = process;
        this.errors = errors;
        this.limit = limit;
        this.clock = clock;
        this.beganNs = clock.getAsLong();
    }

    /** Returns what squeue would say, if it knew how steps have ended. */
    QueueRow row(String id) {
        String said = said();
        if (process.isAlive()) {
            return waits || isBusy(said)
                    ? new QueueRow(id, "PENDING", 0, QueueRow.STEPS_BUSY, "")
                    : new QueueRow(id, said.contains(CREATED) ? "RUNNING" : UNSAID, 0, "None", ALLOCATION);
        }
        int code = process.exitValue();
        if (givenUp) {
            return new QueueRow(id, QueueRow.REFUSED, code << Byte.SIZE, NO_ROOM, ALLOCATION);
        }
        return new QueueRow(id, endState(said, code), code << Byte.SIZE, complaint(said), ALLOCATION);
    }

    private static boolean isBusy(String said) {
        return said.lastIndexOf(BUSY) > said.lastIndexOf(CREATED);
    }

    /** Returns whether only the list of the job's steps can say if this one has room. */
    boolean isInDoubt() {
        return !hasRoom && process.isAlive() && age().compareTo(SOON) >= 0 && !said().contains(CREATED);
    }

    /** Takes note of whether the job's steps include this one, and gives it up if it has waited for too long. */
    void listed(boolean isListed) {
        // Twice, as a step may have ended just before the list was made.
        if (!isListed && waits && age().compareTo(WAIT_LIMIT) >= 0) {
            givenUp = true;
            kill();
        }
        hasRoom = isListed;
        waits = !isListed;
    }

    private Duration age() {
        return Duration.ofNanos(clock.getAsLong() - beganNs);
    }

    /**
     * What srun says counts before the time that has passed: of a time limit it says at most that the step was aborted. When
     * it says nothing, a step that has ended well was not ended for its time.
     */
    private String endState(String said, int code) {
        Optional<Sign> sign = Arrays.stream(Sign.values())
                .filter(each -> said.contains(each.text))
                .findFirst();
        boolean mayBeForTime = sign.map(each -> each == Sign.CANCELLED).orElse(code != 0);
        if (mayBeForTime && hadItsTime()) {
            return "TIMEOUT";
        }
        return sign.map(each -> each.state).orElse(code == 0 ? "COMPLETED" : "FAILED");
    }

    /** Slurm tells this to the step's own output alone. The time in which srun waited for the step's room is in it. */
    private boolean hadItsTime() {
        return limit.filter(most -> life().compareTo(most) >= 0).isPresent();
    }

    /** Returns how long srun lived, up to the moment at which its end was first seen. To be asked when it is over. */
    private synchronized Duration life() {
        if (life == null) {
            life = age();
        }
        return life;
    }

    private String said() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return "";
        }
    }

    private static String complaint(String said) {
        List<String> lines = said.lines().map(String::strip).toList();
        return String.join(" / ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()));
    }

    /** Ends the step at once: at SIGTERM srun kills what it has started, without a word to the controller. */
    void kill() {
        process.destroy();
    }

    /** Runs {@code told} when it has ended, on a thread of its own. */
    synchronized void whenEnded(Runnable told) {
        waiter = new Thread(null, () -> await(told), "fiber-slurm-srun", WAITER_STACK_BYTES);
        waiter.setDaemon(true);
        waiter.start();
    }

    private void await(Runnable told) {
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            // The end is no longer of interest.
            return;
        }
        life();
        told.run();
    }

    /** Drops what {@link #whenEnded} was given, and deletes its file. */
    void leave() {
        synchronized (this) {
            if (waiter != null) {
                waiter.interrupt();
            }
        }
        try {
            Files.deleteIfExists(errors);
        } catch (IOException e) {
            // It goes with the session's directory.
        }
    }
}
