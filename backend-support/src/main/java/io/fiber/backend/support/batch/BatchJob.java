// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.backend.support.ReportingJob;
import io.fiber.backend.support.batch.BatchState.Ended;
import io.fiber.backend.support.batch.BatchState.Missing;
import io.fiber.backend.support.batch.BatchState.Running;
import io.fiber.backend.support.batch.BatchState.Waiting;
import io.fiber.backend.support.batch.Ruling.Begun;
import io.fiber.backend.support.batch.Ruling.Evidence;
import io.fiber.backend.support.batch.Ruling.Note;
import io.fiber.backend.support.batch.Ruling.Patience;
import io.fiber.backend.support.batch.Ruling.Wish;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One job of a batch system. Public methods are thread-safe; everything else belongs to the thread of the watch. */
final class BatchJob extends ReportingJob {

    /**
     * How many answers of the system, and how much time since half of the evidence arrived, before the other half is
     * given up.
     */
    private static final int ANSWERS_OF_PATIENCE = 3;

    private static final long TIME_OF_PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);
    /**
     * The node's report that the program runs may be late; after this time the system's own word is accepted instead.
     */
    private static final long LATE_NEWS_NS = TimeUnit.SECONDS.toNanos(10);
    /** A signal may have no effect while the job is just starting, so it is sent again. */
    private static final long FORCE_AGAIN_NS = TimeUnit.SECONDS.toNanos(3);

    /** Ends jobs. */
    interface Owner {
        /** Records a cancellation, in the watch's own thread. */
        void cancel(BatchJob job, long graceNs);
    }

    /**
     * Where the job belongs.
     *
     * @param part the files of its submission
     * @param index its number in the submission
     * @param id the system's name for it
     */
    record Place(SharedFolder.Part part, int index, String id) {}

    private final Place place;
    private final JobText text;
    private final Owner owner;

    private Optional<Note> note = Optional.empty();
    private Optional<BatchState> seen = Optional.empty();
    private Wish wish = Wish.NONE;
    private String reason = "";
    private long runningSinceNs = Long.MAX_VALUE;
    private long halfSinceNs = Long.MAX_VALUE;
    private int answersSinceHalf;
    private Optional<Missing> missing = Optional.empty();
    private boolean leaving;
    private long forceAtNs = Long.MAX_VALUE;

    BatchJob(String name, Place place, JobListener listener, JobText text, Owner owner) {
        super(name, listener);
        this.place = place;
        this.text = text;
        this.owner = owner;
    }

    @Override
    public String id() {
        return place.id();
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

    /** Returns whether its end was reported. */
    boolean isEnded() {
        return state().isFinal();
    }

    /** Returns whether the system's word is missing for a decision. */
    boolean isHalfKnown() {
        return halfSinceNs != Long.MAX_VALUE;
    }

    /** Records a cancellation, and returns whether the job must be asked to end now. */
    boolean wishEnd(long nowNs, long graceNs) {
        if (isEnded()) {
            return false;
        }
        boolean first = wish == Wish.NONE;
        if (first) {
            wish = Wish.CANCELLED;
            text.notices().expect();
            place.part().markCancelled(place.index());
        }
        if (first || nowNs + graceNs - forceAtNs < 0) {
            forceAtNs = nowNs + graceNs;
        }
        return first && graceNs > 0;
    }

    /** Returns whether the job must be killed now, and again some seconds later if it still exists. */
    boolean isForceDue(long nowNs) {
        if (wish == Wish.NONE || isEnded() || nowNs - forceAtNs < 0) {
            return false;
        }
        forceAtNs = nowNs + FORCE_AGAIN_NS;
        return true;
    }

    /** Records the job's own report that its program runs. */
    void begun(String host) {
        if (state() == JobState.QUEUED) {
            // What the system said before is older than this report.
            seen = seen.filter(old -> !(old instanceof Waiting));
            tellRunning(host);
        }
    }

    /**
     * Records that the system will end the job soon: the job itself reports it, or the system has announced an earlier
     * end.
     */
    void leaving() {
        if (state() == JobState.RUNNING && !leaving) {
            leaving = true;
            tellPreempting("its time limit is near, or another job needs its place");
        }
    }

    /** Records the job's own report that its program has ended. */
    void ended(Note word) {
        note = Optional.of(word);
    }

    /**
     * Records what the system says; empty if it does not know the job.
     *
     * @param then the job's state when the system was asked, because an answer may be older than the job's own report
     */
    void seen(Optional<BatchState> answer, JobState then, long nowNs) {
        missing = answer.filter(Missing.class::isInstance).map(Missing.class::cast);
        Optional<BatchState> now = answer.filter(each -> !(each instanceof Missing));
        BatchState state = now.orElse(null);
        if (state instanceof Waiting && then != state()) {
            return;
        }
        if (state instanceof Running running
                && seen.orElse(null) instanceof Running before
                && running.endsEarlierThan(before)) {
            leaving();
        }
        if (!now.map(Object::getClass).equals(seen.map(Object::getClass))) {
            // A change starts a new wait.
            halfSinceNs = Long.MAX_VALUE;
            answersSinceHalf = 0;
        } else if (isHalfKnown()) {
            answersSinceHalf++;
        }
        seen = now;
        if (state() != JobState.QUEUED) {
            return;
        }
        if (state instanceof Running running) {
            runningSinceNs = Math.min(runningSinceNs, nowNs);
            if (nowNs - runningSinceNs > LATE_NEWS_NS) {
                begun(running.host());
            }
        } else if (state instanceof Waiting waiting && wish == Wish.NONE) {
            tellReason(waiting.reason());
        }
    }

    private void tellReason(String now) {
        if (!now.equals(reason) && !now.isEmpty()) {
            reason = now;
            tellWaiting(now);
        }
    }

    /**
     * Decides again, and reports the end if there is one.
     *
     * @param asked whether the system was asked about the job at all
     */
    Optional<JobTermination> rule(long nowNs, boolean asked) {
        boolean half = note.isPresent() || isPutBack() || (asked && (seen.isEmpty() || seen.get() instanceof Ended));
        if (!half) {
            halfSinceNs = Long.MAX_VALUE;
            answersSinceHalf = 0;
        } else if (!isHalfKnown()) {
            halfSinceNs = nowNs;
        }
        boolean over = half && isPatienceOver(nowNs);
        if (seen.isEmpty() && note.isEmpty() && !asked) {
            return Optional.empty();
        }
        return Ruling.of(
                new Evidence(
                        note,
                        seen,
                        wish,
                        over ? Patience.OVER : Patience.WAITING,
                        state() == JobState.QUEUED ? Begun.NO : Begun.YES),
                place.part().name());
    }

    /**
     * Returns whether the other half of the evidence is given up. The end of a cancelled job waits for no records: a system
     * that keeps some knows which jobs are left.
     */
    private boolean isPatienceOver(long nowNs) {
        if (missing.isPresent() && wish == Wish.CANCELLED) {
            return answersSinceHalf > 0;
        }
        long recordsNs = missing.map(each -> each.records().toNanos()).orElse(0L);
        return answersSinceHalf >= ANSWERS_OF_PATIENCE
                && nowNs - halfSinceNs >= Math.max(TIME_OF_PATIENCE_NS, recordsNs);
    }

    /** Returns whether it waits again. Some systems say for a moment that a job waits whose program already runs. */
    private boolean isPutBack() {
        return state() != JobState.QUEUED && isInTheQueue();
    }

    /** Returns whether it waited when the system was last asked. */
    boolean isInTheQueue() {
        return seen.filter(Waiting.class::isInstance).isPresent();
    }

    /** Reports the end, which is the last event. */
    void tellEnd(JobTermination termination) {
        text.finish();
        place.part().clean(place.index());
        tellEnded(termination);
    }
}
