// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.run;

import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobTermination;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps the record of a run while it runs, and prints its progress for people. Not thread-safe. */
public final class Journal {

    private final Runs runs;
    private final Consumer<String> words;
    private @Nullable Run run;

    /**
     * Creates a journal without a run.
     *
     * @param words receives the progress, line by line
     */
    public Journal(Runs runs, Consumer<String> words) {
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
            write(now.handedOver().with(Run.State.open(job.id(), "kept by " + now.backend())));
        }
    }

    /** Records an event of the job. */
    public void note(JobEvent event) {
        if (event instanceof JobEvent.Waiting waiting) {
            state(waiting.job().id(), "waits: " + waiting.reason());
        } else if (event instanceof JobEvent.Running running) {
            state(running.job().id(), "runs on " + running.host());
        } else if (event instanceof JobEvent.Preempting preempting) {
            state(preempting.job().id(), "is about to be ended by its platform: " + preempting.reason());
        }
    }

    private void state(String job, String text) {
        Run now = run;
        if (now != null) {
            write(now.with(Run.State.open(job, text)));
            words.accept("job " + job + " " + text);
        }
    }

    /** Records the end. */
    public void end(Attached.Outcome outcome) {
        String text = outcome.end().describe();
        Run now = run;
        if (now != null) {
            write(now.with(new Run.State(outcome.job().id(), text, OptionalInt.of(outcome.exitCode()))));
        }
        if (outcome.end().cause() != JobTermination.Cause.EXITED) {
            words.accept("job " + outcome.job().id() + " has ended: " + text);
        }
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
