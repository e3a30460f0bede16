// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.github.dockerjava.api.command.InspectContainerResponse.ContainerState;
import io.fiber.backend.support.BackendTasks;
import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.LastLines;
import io.fiber.backend.support.ReportingJob;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobTermination;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One container, from its start to its last event. Public methods are thread-safe. Methods that say so wait for Docker
 * and run on a thread that may wait; everything else belongs to the backend's own thread.
 */
final class DockerJob extends ReportingJob {

    static final int SHORT_ID = 12;
    private static final long TIME_LIMIT_GRACE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(1);
    private static final OptionalInt KILLED = OptionalInt.of(137);

    /** How long the cause of an end may arrive after it. */
    private static final long REASON_NS = TimeUnit.SECONDS.toNanos(1);

    private enum Phase {
        WAITING,
        RUNNING,
        ENDED
    }

    private final Place place;
    private final BackendTasks tasks;
    private final Consumer<DockerJob> whenEnded;
    private volatile @Nullable EndCause ending;

    /** Whether Docker did not answer to a start. */
    private volatile boolean mayHaveStarted;

    /** Known if the program of the container could not be started. */
    private volatile Optional<Images.Mismatch> mismatch = Optional.empty();

    private Phase phase = Phase.WAITING;
    private @Nullable Future<?> timeLimit;
    private @Nullable Future<?> kill;
    private @Nullable Future<?> reason;
    private long killAtNs;
    private boolean asked;
    private boolean askedAgain;
    private boolean outOfMemory;

    /**
     * The container of the job, and what the job needs to watch and cancel it.
     *
     * @param id id of the container
     * @param host the daemon's name
     * @param plan the plan of the container
     * @param text its output
     * @param engine the engine that is asked about it
     * @param tasks runs the requests
     */
    record Place(String id, String host, ContainerPlan plan, JobText text, Engine engine, BackendTasks tasks) {}

    /**
     * Creates a job whose container has not started.
     *
     * @param whenEnded is called when the job has reported its end
     */
    DockerJob(String name, Place place, JobListener listener, Consumer<DockerJob> whenEnded) {
        super(name, listener);
        this.place = place;
        this.tasks = place.tasks();
        this.whenEnded = whenEnded;
    }

    @Override
    public String id() {
        return place.id().substring(0, Math.min(SHORT_ID, place.id().length()));
    }

    @Override
    protected void cancelAfter(long graceNs) {
        tasks.later(() -> end(EndCause.CANCELLED, graceNs));
    }

    @Override
    protected List<String> lastLines(int count) {
        return place.text().last(count);
    }

    /** Returns the container's full id. */
    String containerId() {
        return place.id();
    }

    /** Returns whether Docker is to keep it without this program. */
    boolean isDetached() {
        return DetachedRuns.isOne(place.plan().spec());
    }

    JobText text() {
        return place.text();
    }

    /** Starts the container. Waits for Docker. */
    void start() {
        if (ending != null) {
            tasks.later(() -> tellEnd(termination(OptionalInt.empty(), "")));
            return;
        }
        try {
            // A second start would run the program again if it has ended meanwhile.
            if (!mayHaveStarted || hasNotStarted()) {
                place.text().attach();
                place.engine().start(place.id());
            }
            tasks.later(this::started);
        } catch (BackendUnavailableException e) {
            mayHaveStarted = true;
            tasks.askAgain(this::start);
        } catch (Refusal e) {
            notStarted(Advice.onStart(e.words(), place.plan(), mismatch()));
        } catch (BackendException e) {
            notStarted(String.valueOf(e.getMessage()));
        }
    }

    private boolean hasNotStarted() {
        return "created".equals(place.engine().inspect(place.id()).getState().getStatus());
    }

    private void notStarted(String why) {
        tasks.later(() -> tellEnd(JobTermination.failed(EndCause.START_FAILED, OptionalInt.empty(), why)));
    }

    private void started() {
        if (phase != Phase.WAITING) {
            return;
        }
        phase = Phase.RUNNING;
        tellRunning(place.host());
        place.text().follow();
        place.plan()
                .spec()
                .timeLimit()
                .ifPresent(limit -> timeLimit =
                        tasks.after(saturatedNanos(limit), () -> end(EndCause.TIME_LIMIT, TIME_LIMIT_GRACE_NS)));
        if (ending != null) {
            askToEnd();
        }
        if (askedAgain) {
            look();
        }
    }

    private void end(EndCause cause, long graceNs) {
        if (phase == Phase.ENDED) {
            return;
        }
        long atNs = System.nanoTime() + graceNs;
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
        kill = tasks.after(graceNs, this::kill);
        if (first && graceNs > 0) {
            askToEnd();
        }
    }

    private void askToEnd() {
        if (phase == Phase.RUNNING) {
            tasks.ask(() -> signal("TERM"));
        }
    }

    private void kill() {
        if (phase == Phase.RUNNING) {
            tasks.ask(() -> signal("KILL"));
        }
        if (phase != Phase.ENDED) {
            kill = tasks.after(AGAIN_NS, this::kill);
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

    /** Returns whether its end is neither known nor requested. */
    boolean isThoughtToRun() {
        return phase == Phase.RUNNING && !asked;
    }

    /** Asks for the state of the container, because something has happened to it. */
    void look() {
        if (asked || phase != Phase.RUNNING) {
            askedAgain = true;
            return;
        }
        asked = true;
        askedAgain = false;
        tasks.ask(this::lookNow);
    }

    private void lookNow() {
        try {
            tasks.later(whatHasBecomeOfIt());
        } catch (BackendUnavailableException e) {
            tasks.askAgain(this::lookNow);
        } catch (BackendException e) {
            tasks.later(() -> tellEnd(JobTermination.lost(String.valueOf(e.getMessage()))));
        }
    }

    /**
     * Returns the resulting action for the backend's own thread. If the container has ended, fetches its last lines.
     */
    private Runnable whatHasBecomeOfIt() {
        try {
            ContainerState seen = place.engine().inspect(place.id()).getState();
            if (Boolean.TRUE.equals(seen.getRunning())) {
                return this::stillRunning;
            }
            place.text().finish();
            if (Advice.startFailure(exitCode(seen).orElse(0), place.plan(), lastLines())
                    .isPresent()) {
                mismatch = mismatch();
            }
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

    /** Docker may learn that a container has ended before it learns that memory was the cause. */
    private void ended(ContainerState seen) {
        boolean mayFollow = !outOfMemory && exitCode(seen).equals(KILLED) && ending == null;
        if (mayFollow
                && !Boolean.TRUE.equals(seen.getOOMKilled())
                && place.plan().limitBytes().isPresent()) {
            reason = tasks.after(REASON_NS, () -> tellEnd(termination(seen)));
        } else {
            tellEnd(termination(seen));
        }
    }

    /** Records that a process of the container was killed because the container exceeded its memory limit. */
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
            return JobTermination.failed(EndCause.OUT_OF_MEMORY, exitCode, Advice.onMemory(place.plan()));
        }
        return termination(exitCode, String.valueOf(seen.getError()));
    }

    private JobTermination termination(OptionalInt exitCode, String words) {
        EndCause why = ending;
        if (why == EndCause.CANCELLED) {
            return JobTermination.cancelled(exitCode);
        }
        if (why == EndCause.TIME_LIMIT) {
            return JobTermination.failed(EndCause.TIME_LIMIT, exitCode, "");
        }
        if (exitCode.isEmpty()) {
            return JobTermination.lost(words);
        }
        return Advice.onExit(exitCode.getAsInt(), place.plan(), lastLines(), mismatch);
    }

    private List<String> lastLines() {
        return place.text().last(LastLines.MOST_LINES);
    }

    /** Waits for Docker. */
    private Optional<Images.Mismatch> mismatch() {
        return Images.mismatch(place.engine(), place.plan().image());
    }

    /** Reports the end of a job about which Docker does not answer. */
    void giveUp() {
        tellEnd(
                ending == null
                        ? JobTermination.lost("Docker did not answer at the end of the session")
                        : termination(OptionalInt.empty(), ""));
    }

    /** Reports the end, which is the last event. */
    private void tellEnd(JobTermination termination) {
        if (phase == Phase.ENDED) {
            return;
        }
        phase = Phase.ENDED;
        for (Future<?> timer : new Future<?>[] {kill, timeLimit, reason}) {
            if (timer != null) {
                timer.cancel(false);
            }
        }
        tellEnded(termination);
        whenEnded.accept(this);
    }
}
