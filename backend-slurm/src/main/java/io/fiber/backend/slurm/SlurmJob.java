// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.slurm.Ruling.Begun;
import io.fiber.backend.slurm.Ruling.Evidence;
import io.fiber.backend.slurm.Ruling.Note;
import io.fiber.backend.slurm.Ruling.Patience;
import io.fiber.backend.slurm.Ruling.Wish;
import io.fiber.backend.support.ReportingJob;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * One element of an array. What is public is for any thread; everything else belongs to the thread of the watch.
 */
final class SlurmJob extends ReportingJob {

    /** How often Slurm must have answered, and how long ago half of the evidence came, before the other half is given up. */
    private static final int ANSWERS_OF_PATIENCE = 3;

    private static final long TIME_OF_PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);
    /** A node's word that the program runs may be late; Slurm's own is then taken for it. */
    private static final long LATE_NEWS_NS = TimeUnit.SECONDS.toNanos(10);
    /** A signal may hit nothing when the job is just starting, so it is sent again. */
    private static final long FORCE_AGAIN_NS = TimeUnit.SECONDS.toNanos(3);

    /** Ends jobs. */
    interface Owner {
        /** Notes a cancel, in the watch's own thread. */
        void cancel(SlurmJob job, long graceNs);
    }

    /**
     * Where the job stands.
     *
     * @param part the files of its submission
     * @param index its number in the array
     * @param array the array's number
     */
    record Place(SharedFolder.Part part, int index, String array) {}

    private final Place place;
    private final JobText text;
    private final Owner owner;

    private Optional<Note> note = Optional.empty();
    private Optional<QueueRow> row = Optional.empty();
    private Wish wish = Wish.NONE;
    private String reason = "";
    private long runningSinceNs = Long.MAX_VALUE;
    private long halfSinceNs = Long.MAX_VALUE;
    private int answersSinceHalf;
    private boolean leaving;
    private long forceAtNs = Long.MAX_VALUE;

    SlurmJob(String name, Place place, JobListener listener, JobText text, Owner owner) {
        super(name, listener);
        this.place = place;
        this.text = text;
        this.owner = owner;
    }

    @Override
    public String id() {
        return place.array() + "_" + place.index();
    }

    @Override
    protected void cancelAfter(long graceNs) {
        owner.cancel(this, graceNs);
    }

    @Override
    protected List<String> lastLines(int count) {
        return text.lastLines(Math.min(count, JobText.MOST_LINES));
    }

    Place place() {
        return place;
    }

    JobText text() {
        return text;
    }

    boolean isEnded() {
        return state().isFinal();
    }

    /** Tells whether Slurm's word is missing for a ruling. */
    boolean isHalfKnown() {
        return halfSinceNs != Long.MAX_VALUE;
    }

    /** Takes a cancel; returns whether the job must be asked to end now. */
    boolean wishEnd(long nowNs, long graceNs) {
        if (isEnded()) {
            return false;
        }
        boolean first = wish == Wish.NONE;
        if (first) {
            wish = Wish.CANCELLED;
            place.part().markCancelled(place.index());
        }
        if (first || nowNs + graceNs - forceAtNs < 0) {
            forceAtNs = nowNs + graceNs;
        }
        return first && graceNs > 0;
    }

    /** Tells whether the job must be ended by force now, and again some seconds later when it is still there. */
    boolean isForceDue(long nowNs) {
        if (wish == Wish.NONE || isEnded() || nowNs - forceAtNs < 0) {
            return false;
        }
        forceAtNs = nowNs + FORCE_AGAIN_NS;
        return true;
    }

    /** Takes the job's own word that its program runs. */
    void begun(String host) {
        if (state() == JobState.QUEUED) {
            // What Slurm said before is older than this word.
            row = row.filter(old -> !old.isWaiting());
            tellRunning(host);
        }
    }

    /** Slurm will end it soon: the job itself says so, or Slurm by an earlier time of its end. */
    void leaving() {
        if (state() == JobState.RUNNING && !leaving) {
            leaving = true;
            tellPreempting("Slurm will end the job soon: it is near its time limit, or another one needs its place");
        }
    }

    /** Takes the job's own word that its program has ended. */
    void ended(Note word) {
        note = Optional.of(word);
    }

    /**
     * Takes what Slurm says; empty when it does not know the job.
     *
     * @param then where the job stood when Slurm was asked: an answer may be older than the job's own word
     */
    void seen(Optional<QueueRow> seen, JobState then, long nowNs) {
        if (seen.filter(QueueRow::isWaiting).isPresent() && then != state()) {
            return;
        }
        if (seen.isPresent()
                && row.isPresent()
                && seen.get().isRunning()
                && seen.get().endsEarlierThan(row.get())) {
            leaving();
        }
        row = seen;
        if (isHalfKnown()) {
            answersSinceHalf++;
        }
        if (seen.isEmpty() || state() != JobState.QUEUED) {
            return;
        }
        if (seen.get().isRunning()) {
            runningSinceNs = Math.min(runningSinceNs, nowNs);
            if (nowNs - runningSinceNs > LATE_NEWS_NS) {
                begun(seen.get().nodes());
            }
        } else if (seen.get().isWaiting() && wish == Wish.NONE) {
            tellReason(seen.get().reason());
        }
    }

    private void tellReason(String now) {
        if (!now.equals(reason) && !now.equals("None") && !now.isEmpty()) {
            reason = now;
            String advice = Advice.onWaiting(now);
            tellWaiting(advice.isEmpty() ? now : now + ": " + advice);
        }
    }

    /**
     * Decides anew and tells the end when there is one.
     *
     * @param asked whether Slurm was asked about the job at all
     */
    Optional<JobTermination> rule(long nowNs, boolean asked) {
        boolean half = note.isPresent() || (asked && (row.isEmpty() || row.get().isEnded()));
        if (!half) {
            halfSinceNs = Long.MAX_VALUE;
            answersSinceHalf = 0;
        } else if (!isHalfKnown()) {
            halfSinceNs = nowNs;
        }
        boolean over = half && answersSinceHalf >= ANSWERS_OF_PATIENCE && nowNs - halfSinceNs >= TIME_OF_PATIENCE_NS;
        if (row.isEmpty() && note.isEmpty() && !asked) {
            return Optional.empty();
        }
        return Ruling.of(new Evidence(
                note,
                row,
                wish,
                over ? Patience.OVER : Patience.WAITING,
                state() == JobState.QUEUED ? Begun.NO : Begun.YES));
    }

    /** Tells whether it waited when Slurm was asked last. */
    boolean isInTheQueue() {
        return row.filter(QueueRow::isWaiting).isPresent();
    }

    /** Tells the end, the last event. */
    void tellEnd(JobTermination termination) {
        text.finish();
        place.part().clean(place.index());
        tellEnded(termination);
    }
}
