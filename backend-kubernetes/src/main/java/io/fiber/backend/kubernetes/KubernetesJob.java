// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.backend.support.BackendTasks;
import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.ReportingJob;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One pod, from before its creation to its last event. Public methods are thread-safe. Methods that say so wait for the
 * API server and run on a thread that may wait; everything else belongs to the backend's own thread.
 */
final class KubernetesJob extends ReportingJob {

    /**
     * How long a pod may take beyond its grace to report its exit code before it is forgotten; a busy node needs that
     * long. The caller that cancelled the job may wait less: for a session, a terminated process has ended 5 s after
     * its grace, even if its exit code is not known by then.
     */
    private static final long FORCE_AFTER_NS = TimeUnit.SECONDS.toNanos(20);

    /**
     * How long the API server may be silent before the rest of a log is given up. A longer time loses less on a busy cluster,
     * but delays the end of each job whose node hangs.
     */
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(10);

    /** The same for a cancelled job: it must have ended before the session's close stops waiting. */
    private static final long CANCELLED_SILENCE_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long FORCE_AGAIN_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long NODE_SLACK_S = 20;
    private static final long DEFAULT_GRACE_S = 30;

    private enum Phase {
        UNMADE,
        WAITING,
        RUNNING,
        ENDING,
        ENDED
    }

    private final Place place;
    private final BackendTasks tasks;
    private final Consumer<KubernetesJob> whenEnded;
    private volatile boolean cancelled;

    private Phase phase = Phase.UNMADE;
    private String reason = "";
    private Optional<PodReading.Waiting> lastWaiting = Optional.empty();
    private @Nullable Runnable early;
    private boolean admitted;
    private boolean seen;
    private boolean taken;
    private volatile boolean gone;
    private volatile boolean isMade;
    private @Nullable Pod prepared;
    private long preparedAtNs;
    private @Nullable Future<?> force;
    private @Nullable Future<?> nodeLimit;
    private long killAtNs;

    /**
     * The pod of the job, and what the job needs to watch and cancel it.
     *
     * @param pod the name of its pod, or of the Job of the API that creates it
     * @param secret the name of its submission's secret
     * @param plan the plan of the pod
     * @param fetching what it fetches from this process before its program starts
     * @param text its output
     * @param parking where it waits while its pod cannot be created
     * @param cluster the cluster that is asked about it
     * @param tasks runs the requests
     */
    record Place(
            String pod,
            String secret,
            PodPlan plan,
            PodRendering.Fetching fetching,
            JobText text,
            Parking parking,
            Cluster cluster,
            BackendTasks tasks) {}

    /**
     * Creates a job whose pod has not been created.
     *
     * @param whenEnded is called when the job has reported its end
     */
    KubernetesJob(String name, Place place, JobListener listener, Consumer<KubernetesJob> whenEnded) {
        super(name, listener);
        this.place = place;
        this.tasks = place.tasks();
        this.whenEnded = whenEnded;
    }

    @Override
    public String id() {
        return place.pod();
    }

    @Override
    protected void cancelAfter(long graceNs) {
        tasks.later(() -> end(graceNs));
    }

    @Override
    protected List<String> lastLines(int count) {
        return place.text().last(count);
    }

    JobText text() {
        return place.text();
    }

    /** Returns the name of the secret that the job shares with its submission. */
    String secret() {
        return place.secret();
    }

    /** Returns the plan of its pod. */
    PodPlan plan() {
        return place.plan();
    }

    /** Returns whether the cluster is to keep it without this program. Thread-safe. */
    boolean isDetached() {
        return DetachedRuns.isOne(place.plan().spec());
    }

    /** Returns whether the pod exists and needs nothing more from this process. Thread-safe. */
    boolean isSelfSufficient() {
        return isMade && (place.fetching() == PodRendering.Fetching.NOTHING || state() != JobState.QUEUED);
    }

    /** Returns whether the job is to end. Thread-safe. */
    boolean isCancelled() {
        return cancelled;
    }

    /** Returns whether the pod exists or existed. Thread-safe. */
    boolean isMade() {
        return isMade;
    }

    /** Returns whether the pod is known to be gone. Thread-safe. */
    boolean isGone() {
        return gone;
    }

    /** Allows events, because all jobs of the submission were accepted. */
    void admit() {
        admitted = true;
        if (early != null) {
            early.run();
            early = null;
        }
    }

    /** Records that the pod has been created. */
    void made() {
        if (phase == Phase.UNMADE) {
            phase = Phase.WAITING;
            isMade = true;
            if (cancelled) {
                removePod(0);
            }
        }
    }

    /** Records that the pod cannot be created yet. */
    void parked(String why) {
        if (phase == Phase.UNMADE && cancelled) {
            takeBack();
        } else if (phase == Phase.UNMADE) {
            waits(why);
        }
    }

    /** Records that the pod will never be created. */
    void refused(JobTermination termination) {
        if (phase == Phase.UNMADE) {
            gone = true;
            tellEnd(termination);
        }
    }

    /** Ends the job, unless its pod is just being created. */
    private void takeBack() {
        if (place.parking().isTakenBack(this)) {
            refused(JobTermination.cancelled());
        }
    }

    private void waits(String why) {
        if (!why.equals(reason) && phase != Phase.RUNNING) {
            reason = why;
            tellWaiting(why);
        }
    }

    /** Records the current state of the pod. */
    void look(Pod pod) {
        if (!admitted) {
            early = () -> look(pod);
            return;
        }
        seen = true;
        made();
        if (phase == Phase.ENDING || phase == Phase.ENDED) {
            return;
        }
        PodReading reading = PodReading.of(pod, place.plan(), lastWaiting);
        boolean isPrepared = reading instanceof PodReading.Nothing && phase == Phase.WAITING;
        if (isPrepared && prepared == null) {
            preparedAtNs = System.nanoTime();
        }
        prepared = isPrepared ? pod : null;
        if (reading instanceof PodReading.Waiting waiting) {
            lastWaiting = Optional.of(waiting);
            waits(waiting.reason());
        } else if (reading instanceof PodReading.Running running) {
            runs(running.node());
        } else if (reading instanceof PodReading.Ended ended) {
            ends(pod, ended.termination());
            return;
        }
        if (pod.getMetadata().getDeletionTimestamp() != null && !cancelled) {
            isTaken(pod);
        }
    }

    /** Returns whether its program may still start. */
    boolean isStarting() {
        return phase == Phase.UNMADE || phase == Phase.WAITING;
    }

    /** Returns whether the cluster accepted the pod some time ago, and does not say why its program is not running. */
    boolean isLate() {
        return prepared != null && phase == Phase.WAITING && System.nanoTime() - preparedAtNs >= Preparation.LATE_NS;
    }

    /** Reports what a pod waits for that is prepared; its last event, if it is known, in words. */
    void isPreparedFor(Optional<String> event) {
        if (prepared != null) {
            waits(PodReading.preparation(prepared, event));
        }
    }

    private void ends(Pod pod, JobTermination end) {
        if (end.exitCode().isPresent() && end.cause() != EndCause.START_FAILED) {
            // A program that ended at once was running before.
            runs(String.valueOf(pod.getSpec().getNodeName()));
        }
        takeEnd(end);
    }

    private void runs(String node) {
        if (phase != Phase.RUNNING) {
            phase = Phase.RUNNING;
            tellRunning(node);
            tasks.ask(place.text()::follow);
        }
    }

    /** Records that another client has asked the cluster to remove the pod; if it stays, its node does not respond. */
    private void isTaken(Pod pod) {
        if (taken) {
            return;
        }
        taken = true;
        if (phase == Phase.RUNNING) {
            tellPreempting("the pod is being deleted from outside");
        }
        long grace = Optional.ofNullable(pod.getMetadata().getDeletionGracePeriodSeconds())
                .orElse(DEFAULT_GRACE_S);
        String node = String.valueOf(pod.getSpec().getNodeName());
        nodeLimit = tasks.after(TimeUnit.SECONDS.toNanos(grace + NODE_SLACK_S), () -> {
            forgetPod();
            takeEnd(JobTermination.failed(
                    EndCause.NODE_LOST,
                    OptionalInt.empty(),
                    "the pod should have been deleted " + (grace + NODE_SLACK_S) + " s ago, but its node '" + node
                            + "' has not confirmed it"));
        });
    }

    /** Records that the pod is gone, with its last state. */
    void gone(Pod last) {
        if (!admitted) {
            early = () -> gone(last);
            return;
        }
        made();
        gone = true;
        if (phase != Phase.ENDING
                && phase != Phase.ENDED
                && PodReading.of(last, place.plan(), lastWaiting) instanceof PodReading.Ended ended) {
            ends(last, ended.termination());
        } else {
            isGoneNow();
        }
    }

    private void isGoneNow() {
        gone = true;
        if (phase == Phase.WAITING || phase == Phase.RUNNING) {
            tellEnd(JobTermination.failed(EndCause.PREEMPTED, OptionalInt.empty(), PodReading.DELETED));
        }
    }

    /** Records that all pods of the session have been listed; a pod that was never seen may be gone already. */
    void listed() {
        if (phase == Phase.WAITING && !seen) {
            tasks.ask(this::lookNow);
        }
    }

    private void lookNow() {
        try {
            if (plan().isRestarted()) {
                lookForJobOfApi();
                return;
            }
            Pod pod = place.cluster().find(place.pod());
            tasks.later(pod == null ? this::isGoneNow : () -> look(pod));
        } catch (BackendException | Refusal e) {
            System.getLogger(KubernetesJob.class.getName())
                    .log(Level.DEBUG, "The pod " + place.pod() + " is looked at later.", e);
        }
    }

    /** A Job of the API may not have created its pod yet. */
    private void lookForJobOfApi() {
        if (place.cluster().job(id()).isEmpty()) {
            tasks.later(this::isGoneNow);
        }
    }

    private void end(long graceNs) {
        if (phase == Phase.ENDING || phase == Phase.ENDED) {
            return;
        }
        long atNs = System.nanoTime() + graceNs;
        if (cancelled && atNs - killAtNs >= 0) {
            return;
        }
        cancelled = true;
        killAtNs = atNs;
        if (phase == Phase.UNMADE) {
            takeBack();
        } else {
            removePod(graceNs);
        }
        if (force != null) {
            force.cancel(false);
        }
        force = tasks.after(graceNs + FORCE_AFTER_NS, this::force);
    }

    /** Records that the session ends all its pods with one request. */
    void endWithSession() {
        if (phase == Phase.UNMADE) {
            end(0);
        } else {
            cancelled = true;
        }
    }

    /**
     * Kills the pod again, because old nodes do not learn that a grace has become shorter, and lost ones learn nothing.
     */
    private void force() {
        if (phase != Phase.ENDED && phase != Phase.UNMADE) {
            forgetPod();
        }
        if (phase != Phase.ENDED) {
            force = tasks.after(FORCE_AGAIN_NS, this::force);
        }
    }

    /**
     * Asks the pod to end, and kills it after a grace; with less than a second the cluster would forget it where it is.
     */
    private void removePod(long graceNs) {
        long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(graceNs + 999_999_999L));
        tasks.ask(() -> deletePod(seconds));
    }

    /** Lets the cluster forget the pod at once, wherever it runs; its node kills it when it learns of this. */
    private void forgetPod() {
        tasks.ask(() -> deletePod(0));
    }

    /** Waits for the API server. */
    private void deletePod(long graceSeconds) {
        try {
            if (!removePodNow(graceSeconds)) {
                tasks.later(this::isGoneNow);
            }
        } catch (BackendException | Refusal e) {
            System.getLogger(KubernetesJob.class.getName())
                    .log(Level.DEBUG, "The pod " + place.pod() + " is deleted later.", e);
        }
    }

    /**
     * Removes the pod, and the Job of the API that would replace it. Returns whether there was a pod. Waits for the API
     * server.
     */
    boolean removePodNow(long graceSeconds) {
        return plan().isRestarted()
                ? place.cluster()
                        .deleteJob(id(), plan().setting().labels().sessionId(), name(), OptionalLong.of(graceSeconds))
                : place.cluster().delete(id(), graceSeconds);
    }

    private void takeEnd(JobTermination termination) {
        if (phase == Phase.ENDING || phase == Phase.ENDED) {
            return;
        }
        phase = Phase.ENDING;
        tasks.ask(() -> {
            place.text().finish(cancelled ? CANCELLED_SILENCE_NS : SILENCE_NS);
            tasks.later(() -> tellEnd(termination));
        });
    }

    /** Reports the end of a job about which the API server does not answer. */
    void giveUp() {
        tellEnd(JobTermination.lost("the API server did not answer at the end of the session"));
    }

    /** Reports the end, which is the last event. */
    private void tellEnd(JobTermination termination) {
        if (phase == Phase.ENDED) {
            return;
        }
        phase = Phase.ENDED;
        for (Future<?> timer : new Future<?>[] {force, nodeLimit}) {
            if (timer != null) {
                timer.cancel(false);
            }
        }
        JobTermination told = cancelled ? JobTermination.cancelled(termination.exitCode()) : termination;
        tellEnded(told);
        whenEnded.accept(this);
    }
}
