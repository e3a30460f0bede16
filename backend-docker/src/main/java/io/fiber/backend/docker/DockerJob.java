// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One container, from its start to its last event. What is public is for any thread; methods that say so wait for Docker and
 * run on a thread that may; everything else belongs to the backend's own thread.
 */
final class DockerJob implements Job {

    private static final int SHORT_ID = 12;
    private static final Duration TIME_LIMIT_GRACE = Duration.ofSeconds(2);
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final OptionalInt KILLED = OptionalInt.of(137);

    /** How long the reason of an end may follow it. */
    private static final long REASON_NS = TimeUnit.SECONDS.toNanos(1);

    /** What a job needs of the backend that it belongs to. */
    interface Owner {
        /** Runs on the backend's own thread. */
        void later(Runnable action);

        /** Runs on the backend's own thread after a delay. */
        Future<?> after(long delayNs, Runnable action);

        /** Runs on a thread that may wait for Docker. */
        void ask(Runnable question);

        /** Runs on a thread that may wait for Docker, after a while in which Docker may come to itself. */
        void askAgain(Runnable question);

        /** Hears that a job has told its end. */
        void hasEnded(DockerJob job);
    }

    private enum Phase {
        WAITING,
        RUNNING,
        ENDED
    }

    private final String name;
    private final Place place;
    private final JobListener listener;
    private final Owner owner;
    private volatile JobState state = JobState.QUEUED;
    private volatile @Nullable Cause ending;

    private Phase phase = Phase.WAITING;
    private @Nullable Future<?> timeLimit;
    private @Nullable Future<?> kill;
    private @Nullable Future<?> reason;
    private long killAtNs;
    private boolean asked;
    private boolean askedAgain;
    private boolean outOfMemory;

    /**
     * Where the job is.
     *
     * @param id the container
     * @param host the daemon's name
     * @param plan what the container is made of
     * @param text what it writes
     * @param engine who is asked about it
     */
    record Place(String id, String host, ContainerPlan plan, JobText text, Engine engine) {}

    DockerJob(String name, Place place, JobListener listener, Owner owner) {
        this.name = name;
        this.place = place;
        this.listener = listener;
        this.owner = owner;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String id() {
        return place.id().substring(0, Math.min(SHORT_ID, place.id().length()));
    }

    @Override
    public JobState state() {
        return state;
    }

    @Override
    public void cancel(Duration grace) {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("grace is " + grace + "; expected zero or more.");
        }
        owner.later(() -> end(Cause.CANCELLED, grace));
    }

    @Override
    public List<String> logs(int lastLines) {
        if (lastLines < 0) {
            throw new IllegalArgumentException("lastLines is " + lastLines + "; expected 0 or more.");
        }
        return lastLines == 0 ? List.of() : place.text().last(lastLines);
    }

    @Override
    public String toString() {
        return "DockerJob[" + name + ", " + id() + ", " + state + "]";
    }

    /** Returns the container's whole id. */
    String containerId() {
        return place.id();
    }

    JobText text() {
        return place.text();
    }

    /** Starts the container. Waits for Docker. */
    void start() {
        if (ending != null) {
            owner.later(() -> tellEnd(termination(OptionalInt.empty(), "")));
            return;
        }
        try {
            place.text().attach();
            place.engine().start(place.id());
            owner.later(this::started);
        } catch (BackendUnavailableException e) {
            // A second start of a container that has started does nothing.
            owner.askAgain(this::start);
        } catch (Refusal e) {
            owner.later(() -> tellEnd(JobTermination.failed(
                    Cause.START_FAILED, OptionalInt.empty(), Advice.onStart(e.words(), place.plan()))));
        } catch (BackendException e) {
            owner.later(() -> tellEnd(
                    JobTermination.failed(Cause.START_FAILED, OptionalInt.empty(), String.valueOf(e.getMessage()))));
        }
    }

    private void started() {
        if (phase != Phase.WAITING) {
            return;
        }
        phase = Phase.RUNNING;
        state = JobState.RUNNING;
        tell(new JobEvent.Running(this, place.host()));
        place.text().follow();
        place.plan()
                .spec()
                .timeLimit()
                .ifPresent(limit ->
                        timeLimit = owner.after(saturatedNanos(limit), () -> end(Cause.TIME_LIMIT, TIME_LIMIT_GRACE)));
        if (ending != null) {
            askToEnd();
        }
        if (askedAgain) {
            look();
        }
    }

    private void end(Cause cause, Duration grace) {
        if (phase == Phase.ENDED) {
            return;
        }
        long atNs = System.nanoTime() + saturatedNanos(grace);
        boolean first = ending == null;
        if (first) {
            ending = cause;
        } else if (atNs - killAtNs >= 0) {
            return;
        }
        killAtNs = atNs;
        if (kill != null) {
            kill.cancel(false);
        }
        kill = owner.after(saturatedNanos(grace), this::kill);
        if (first && !grace.isZero()) {
            askToEnd();
        }
    }

    private void askToEnd() {
        if (phase == Phase.RUNNING) {
            owner.ask(() -> signal("TERM"));
        }
    }

    private void kill() {
        if (phase == Phase.RUNNING) {
            owner.ask(() -> signal("KILL"));
        }
        if (phase != Phase.ENDED) {
            kill = owner.after(AGAIN_NS, this::kill);
            look();
        }
    }

    private void signal(String signal) {
        try {
            place.engine().signal(place.id(), signal);
        } catch (BackendException | Refusal e) {
            System.getLogger(DockerJob.class.getName())
                    .log(Level.DEBUG, "Signal " + signal + " did not reach the container " + id() + ".", e);
        }
    }

    /** Asks what has become of the container, as something has. */
    void look() {
        if (asked || phase != Phase.RUNNING) {
            askedAgain = true;
            return;
        }
        asked = true;
        askedAgain = false;
        owner.ask(this::lookNow);
    }

    private void lookNow() {
        try {
            owner.later(whatHasBecomeOfIt());
        } catch (BackendUnavailableException e) {
            owner.askAgain(this::lookNow);
        } catch (BackendException e) {
            owner.later(() -> tellEnd(JobTermination.lost(String.valueOf(e.getMessage()))));
        }
    }

    /** Returns what the backend's own thread is to do about it. Takes the last lines of a container that has ended. */
    private Runnable whatHasBecomeOfIt() {
        try {
            ContainerState seen = place.engine().inspect(place.id()).getState();
            if (Boolean.TRUE.equals(seen.getRunning())) {
                return this::stillRunning;
            }
            place.text().finish();
            return () -> ended(seen);
        } catch (Refusal e) {
            place.text().finish();
            return () -> tellEnd(
                    ending == null && e.isNotFound()
                            ? JobTermination.lost("the container was removed from outside")
                            : termination(OptionalInt.empty(), e.words()));
        }
    }

    private void stillRunning() {
        asked = false;
        if (askedAgain) {
            look();
        }
    }

    /** Docker may hear that a container has ended before it hears that its memory was the reason. */
    private void ended(ContainerState seen) {
        boolean mayFollow = !outOfMemory && exitCode(seen).equals(KILLED) && ending == null;
        if (mayFollow
                && !Boolean.TRUE.equals(seen.getOOMKilled())
                && place.plan().limitBytes().isPresent()) {
            reason = owner.after(REASON_NS, () -> tellEnd(termination(seen)));
        } else {
            tellEnd(termination(seen));
        }
    }

    /** A process of the container was killed, as the container used more than its limit. */
    void outOfMemory() {
        outOfMemory = true;
    }

    private static OptionalInt exitCode(ContainerState seen) {
        Long code = seen.getExitCodeLong();
        return code == null || code < 0 || code > 255 ? OptionalInt.empty() : OptionalInt.of(code.intValue());
    }

    private JobTermination termination(ContainerState seen) {
        OptionalInt exitCode = exitCode(seen);
        boolean usedTooMuch = Boolean.TRUE.equals(seen.getOOMKilled()) || (outOfMemory && exitCode.equals(KILLED));
        if (ending == null && usedTooMuch && exitCode.orElse(1) != 0) {
            return JobTermination.failed(Cause.OUT_OF_MEMORY, exitCode, Advice.onMemory(place.plan()));
        }
        return termination(exitCode, String.valueOf(seen.getError()));
    }

    private JobTermination termination(OptionalInt exitCode, String words) {
        Cause why = ending;
        if (why == Cause.CANCELLED) {
            return new JobTermination(JobState.CANCELLED, Cause.CANCELLED, exitCode, "");
        }
        if (why == Cause.TIME_LIMIT) {
            return JobTermination.failed(Cause.TIME_LIMIT, exitCode, "");
        }
        if (exitCode.isEmpty()) {
            return JobTermination.lost(words);
        }
        return Advice.onExit(exitCode.getAsInt(), place.plan(), place.text().last(LineBuffer.KEPT_LINES));
    }

    /** Closes the story of a job that Docker does not answer for. */
    void giveUp() {
        tellEnd(
                ending == null
                        ? JobTermination.lost("Docker did not answer at the end of the session")
                        : termination(OptionalInt.empty(), ""));
    }

    /** Tells the end, the last event. */
    private void tellEnd(JobTermination termination) {
        if (phase == Phase.ENDED) {
            return;
        }
        phase = Phase.ENDED;
        if (kill != null) {
            kill.cancel(false);
        }
        if (timeLimit != null) {
            timeLimit.cancel(false);
        }
        if (reason != null) {
            reason.cancel(false);
        }
        state = termination.state();
        tell(new JobEvent.Ended(this, termination));
        owner.hasEnded(this);
    }

    /** A listener that throws breaks its contract; the jobs of others must not suffer for it. */
    private void tell(JobEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable e) {
            System.getLogger(DockerJob.class.getName()).log(Level.WARNING, "A listener failed at " + event + ".", e);
        }
    }

    /** Returns nanoseconds that can be added to a nanoTime without ending up in the past. */
    private static long saturatedNanos(Duration duration) {
        try {
            return Math.min(duration.toNanos(), Long.MAX_VALUE / 4);
        } catch (ArithmeticException e) {
            return Long.MAX_VALUE / 4;
        }
    }
}
