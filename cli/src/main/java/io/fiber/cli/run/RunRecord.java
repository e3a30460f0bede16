// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.spec.EndCause;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the record of a run up to date, and tells people how the run progresses. Not thread-safe. */
public final class RunRecord {

    private final Runs runs;
    private final Consumer<String> words;
    private @Nullable Run run;

    /** The id of the last job after which the program was to be started again. */
    private String restartedAfter = "";

    /**
     * Creates a record without a run.
     *
     * @param words receives the progress, line by line
     */
    public RunRecord(Runs runs, Consumer<String> words) {
        this.runs = runs;
        this.words = words;
    }

    /** Creates the record. */
    public void begin(Run submitted) {
        write(submitted);
    }

    /** Records that from now on the platform keeps the run, and not a process. */
    public void handedOver(Job job) {
        Run now = run;
        if (now != null) {
            write(now.handedOver().with(now.state().next(job.id(), "kept by " + now.backend())));
        }
    }

    /** Records an event of the job. */
    public void note(JobEvent event) {
        if (event instanceof JobEvent.Waiting waiting) {
            state(waiting.job().id(), "waits: " + waiting.reason());
        } else if (event instanceof JobEvent.Running running) {
            state(running.job().id(), "runs on " + running.host());
        } else if (event instanceof JobEvent.Preempting preempting) {
            state(preempting.job().id(), "will be ended soon: " + preempting.reason());
        }
    }

    private void state(String job, String text) {
        Run now = run;
        if (now != null) {
            write(now.with(now.state().next(job, text)));
            words.accept("job " + job + " " + text);
        }
    }

    /**
     * Records that the program is started again.
     *
     * @param ended how it ended
     * @param restart the number of this restart, from 1 on
     * @param most the greatest number of restarts
     * @param pause the time until then
     */
    void restarting(Attached.Outcome ended, int restart, int most, Duration pause) {
        String when = pause.isZero() ? "starts again" : "starts again in " + pause.toSeconds() + " s";
        restartedAfter = ended.job().id();
        Run now = run;
        if (now != null) {
            write(now.with(now.state().restarted(restart, when)));
        }
        words.accept("job " + ended.job().id() + " has ended: "
                + withoutStop(ended.end().describe())
                + ". Restart " + restart + " of " + most + " follows "
                + (pause.isZero()
                        ? "at once."
                        : "in " + pause.toSeconds() + " s, when the workers of the program have ended."));
    }

    /** Records that the platform does not start the program again now, and when it is asked again. */
    void postponed(BackendException why, Duration pause) {
        Run now = run;
        if (now != null) {
            write(now.with(now.state().next(now.state().job(), "waits for its platform: " + why.getMessage())));
        }
        words.accept("the program cannot be started again yet. The next try follows in " + pause.toSeconds() + " s: "
                + why.getMessage());
    }

    /** Tells that the program could go on, but has no restarts left. */
    void exhausted(int most) {
        words.accept("the program has been started again " + most + (most == 1 ? " time" : " times")
                + ", as often as --restarts allows. With a journal, it goes on if you run it again.");
    }

    /** Records the end. */
    public void end(Attached.Outcome outcome) {
        String text = outcome.end().describe();
        Run now = run;
        if (now != null) {
            write(now.with(now.state().next(outcome.job().id(), text).ended(outcome.exitCode())));
        }
        if (outcome.job().id().equals(restartedAfter)) {
            words.accept("the program is not started again: " + text);
        } else if (outcome.end().cause() != EndCause.EXITED) {
            words.accept("job " + outcome.job().id() + " has ended: " + text);
        }
    }

    private static String withoutStop(String sentence) {
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }

    private void write(Run next) {
        run = next;
        runs.write(next);
    }

    /** Removes the record, because an attached command has shown everything. */
    public void forget() {
        if (run != null) {
            runs.remove(run);
        }
    }
}
