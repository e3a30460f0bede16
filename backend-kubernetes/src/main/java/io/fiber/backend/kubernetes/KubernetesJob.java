// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.backend.support.BackendTasks;
import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.ReportingJob;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One pod, from before it is made to its last event. What is public is for any thread; methods that say so wait for the API
 * server and run on a thread that may; everything else belongs to the backend's own thread.
 */
final class KubernetesJob extends ReportingJob {

    /**
     * How long beyond its grace a pod may take to tell its exit code, before it is forgotten: a busy node needs that
     * long. The caller that cancelled the job may wait less: for a session a process that it terminates has ended 5 s
     * after its grace, whether its exit code is known by then or not.
     */
    private static final long FORCE_AFTER_NS = TimeUnit.SECONDS.toNanos(20);

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
    private @Nullable Runnable early;
    private boolean admitted;
    private boolean seen;
    private boolean taken;
    private volatile boolean gone;
    private volatile boolean isMade;
    private @Nullable Future<?> force;
    private @Nullable Future<?> nodeLimit;
    private long killAtNs;

    /**
     * Where the job is.
     *
     * @param pod the name of its pod
     * @param secret the name of its submission's secret
     * @param plan what the pod is made of
     * @param fetching what it fetches from this process before its program starts
     * @param text what it writes
     * @param parking where it waits while its pod cannot be made
     * @param cluster who is asked about it
     * @param tasks where that is done
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
     * Creates a job whose pod has not been made.
     *
     * @param whenEnded is told when the job has told its end
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

    /** Returns what its pod is made of. */
    PodPlan plan() {
        return place.plan();
    }

    /** Tells whether the cluster is to keep it without this program; for any thread. */
    boolean isDetached() {
        return DetachedRuns.isOne(place.plan().spec());
    }

    /** Tells whether the pod is there and needs nothing more of this process; for any thread. */
    boolean isSelfSufficient() {
        return isMade && (place.fetching() == PodRendering.Fetching.NOTHING || state() != JobState.QUEUED);
    }

    /** Tells whether the job is to end; for any thread. */
    boolean isCancelled() {
        return cancelled;
    }

    /** Tells whether the pod is there or was; for any thread. */
    boolean isMade() {
        return isMade;
    }

    /** Tells whether the pod is known to be gone; for any thread. */
    boolean isGone() {
        return gone;
    }

    /** All jobs of the submission are taken: from now on there is something to tell. */
    void admit() {
        admitted = true;
        if (early != null) {
            early.run();
            early = null;
        }
    }

    /** The pod has been made. */
    void made() {
        if (phase == Phase.UNMADE) {
            phase = Phase.WAITING;
            isMade = true;
            if (cancelled) {
                removePod(0);
            }
        }
    }

    /** The pod cannot be made yet. */
    void parked(String why) {
        if (phase == Phase.UNMADE && cancelled) {
            takeBack();
        } else if (phase == Phase.UNMADE) {
            waits(Advice.onWaiting(why, place.plan()));
        }
    }

    /** The pod will never be made. */
    void refused(JobTermination termination) {
        if (phase == Phase.UNMADE) {
            gone = true;
            tellEnd(termination);
        }
    }

    /** Ends the job, unless its pod is being made just now. */
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

    /** The pod is as it is now. */
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
        PodReading reading = PodReading.of(pod, place.plan(), reason);
        if (reading instanceof PodReading.Waiting waiting) {
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

    private void ends(Pod pod, JobTermination end) {
        if (end.exitCode().isPresent() && end.cause() != Cause.START_FAILED) {
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

    /**
     * Notes that another client has asked the cluster to remove the pod; if it stays, its node does not respond.
     */
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
                    Cause.NODE_LOST,
                    OptionalInt.empty(),
                    "the pod was to be deleted " + (grace + NODE_SLACK_S) + " s ago, and its node '" + node
                            + "' has not confirmed it"));
        });
    }

    /** The pod is there no more; that is how it was last. */
    void gone(Pod last) {
        if (!admitted) {
            early = () -> gone(last);
            return;
        }
        made();
        gone = true;
        if (phase != Phase.ENDING
                && phase != Phase.ENDED
                && PodReading.of(last, place.plan(), reason) instanceof PodReading.Ended ended) {
            ends(last, ended.termination());
        } else {
            isGoneNow();
        }
    }

    private void isGoneNow() {
        gone = true;
        if (phase == Phase.WAITING || phase == Phase.RUNNING) {
            tellEnd(JobTermination.failed(Cause.PREEMPTED, OptionalInt.empty(), PodReading.DELETED));
        }
    }

    /** All pods of the session have been listed. What was never seen may be gone already. */
    void listed() {
        if (phase == Phase.WAITING && !seen) {
            tasks.ask(this::lookNow);
        }
    }

    private void lookNow() {
        try {
            Pod pod = place.cluster().find(place.pod());
            tasks.later(pod == null ? this::isGoneNow : () -> look(pod));
        } catch (BackendException | Refusal e) {
            System.getLogger(KubernetesJob.class.getName())
                    .log(Level.DEBUG, "The pod " + place.pod() + " is looked at later.", e);
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

    /** The session ends, and with it all its pods by one request. */
    void endWithSession() {
        if (phase == Phase.UNMADE) {
            end(0);
        } else {
            cancelled = true;
        }
    }

    /** Old nodes do not hear that a grace has become shorter, and lost ones hear nothing. */
    private void force() {
        if (phase != Phase.ENDED && phase != Phase.UNMADE) {
            forgetPod();
        }
        if (phase != Phase.ENDED) {
            force = tasks.after(FORCE_AGAIN_NS, this::force);
        }
    }

    /** Asks the pod to end, and kills it after a grace; less than a second would forget it where it is. */
    private void removePod(long graceNs) {
        long seconds = Math.max(1, TimeUnit.NANOSECONDS.toSeconds(graceNs + 999_999_999L));
        tasks.ask(() -> deletePod(seconds));
    }

    /** Forgets the pod at once, wherever it runs; its node kills it when it hears of it. */
    private void forgetPod() {
        tasks.ask(() -> deletePod(0));
    }

    /** Waits for the API server. */
    private void deletePod(long graceSeconds) {
        try {
            if (!place.cluster().delete(place.pod(), graceSeconds)) {
                tasks.later(this::isGoneNow);
            }
        } catch (BackendException | Refusal e) {
            System.getLogger(KubernetesJob.class.getName())
                    .log(Level.DEBUG, "The pod " + place.pod() + " is deleted later.", e);
        }
    }

    private void takeEnd(JobTermination termination) {
        if (phase == Phase.ENDING || phase == Phase.ENDED) {
            return;
        }
        phase = Phase.ENDING;
        tasks.ask(() -> {
            place.text().finish();
            tasks.later(() -> tellEnd(termination));
        });
    }

    /** Closes the story of a job that the API server does not answer for. */
    void giveUp() {
        tellEnd(JobTermination.lost("the API server did not answer at the end of the session"));
    }

    /** Tells the end, the last event. */
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
