// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.cli.run.Attached.Named;
import io.fiber.cli.run.Attached.Outcome;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.TooManyJobsException;
import java.time.Duration;

/**
 * Runs a program and starts it again after each end that is {@linkplain JobTermination#isRestartable restartable}, up to
 * a limit. A signal to this command ends this for good, even between two starts. Not thread-safe.
 */
public final class Restarts {

    /**
     * The pause after an end that was not in order. The workers of a killed program end within 30 s. Until then they
     * hold what the next start needs: processors, GPUs, places in a queue, and files that tasks write.
     */
    private static final Duration WORKERS_END = Duration.ofSeconds(30);

    /** Many failures of a platform are over in seconds, but a scheduler that is being restarted needs minutes. */
    private static final Duration FIRST_TRY = Duration.ofSeconds(5);

    private static final Duration LONGEST_BETWEEN_TRIES = Duration.ofMinutes(1);

    /** How long a platform may accept no job: longer than a restart or an upgrade of its servers takes. */
    private static final Duration LONGEST_OUTAGE = Duration.ofHours(1);

    private final int most;
    private final Attached attached;
    private final RunRecord record;

    /**
     * Creates it without starting anything.
     *
     * @param most the greatest number of restarts
     * @param attached submits the jobs and takes the signals
     * @param record receives each restart
     */
    Restarts(int most, Attached attached, RunRecord record) {
        this.most = most;
        this.attached = attached;
        this.record = record;
    }

    /**
     * Runs the program until it ends for good.
     *
     * @return its last end
     * @throws BackendException if the first job is not accepted
     */
    public Outcome run(BackendAccess access, Named named) throws InterruptedException {
        Outcome outcome = attached.run(access, named);
        int restart = 0;
        while (restart < most && (canGoOn(outcome) || isWithoutRoom(outcome, restart))) {
            restart++;
            Duration pause = pauseAfter(outcome.end());
            record.restarting(outcome, restart, most, pause);
            outcome = attached.pause(pause)
                    ? again(access, named.again(restart), outcome)
                    : attached.cancelled(outcome.job());
        }
        if (most > 0 && canGoOn(outcome)) {
            record.exhausted(most);
        }
        return outcome;
    }

    private boolean canGoOn(Outcome outcome) {
        return outcome.end().isRestartable() && !attached.isSignalled();
    }

    /** A restart that found no room has run nothing, and the next one may. */
    private boolean isWithoutRoom(Outcome outcome, int restart) {
        return restart > 0 && outcome.end().cause() == EndCause.NO_ROOM && !attached.isSignalled();
    }

    /** Returns no pause if the program has stopped in order: it has ended its workers itself. */
    private static Duration pauseAfter(JobTermination end) {
        return end.exitCode().orElse(0) == JobTermination.TRY_AGAIN ? Duration.ZERO : WORKERS_END;
    }

    /** Tries to run the program until its platform accepts the job. A program that has worked for hours can wait. */
    private Outcome again(BackendAccess access, Named named, Outcome before) throws InterruptedException {
        long beganNs = System.nanoTime();
        Duration pause = FIRST_TRY;
        while (true) {
            try {
                return attached.run(access, named);
            } catch (BackendException e) {
                if (!isTransient(e) || System.nanoTime() - beganNs > LONGEST_OUTAGE.toNanos()) {
                    return Outcome.notStarted(before.job(), e);
                }
                record.postponed(e, pause);
            }
            if (!attached.pause(pause)) {
                return attached.cancelled(before.job());
            }
            Duration twice = pause.multipliedBy(2);
            pause = twice.compareTo(LONGEST_BETWEEN_TRIES) < 0 ? twice : LONGEST_BETWEEN_TRIES;
        }
    }

    /** Returns whether the same job may be accepted later. */
    private static boolean isTransient(BackendException e) {
        return e instanceof BackendUnavailableException || e instanceof TooManyJobsException;
    }
}
