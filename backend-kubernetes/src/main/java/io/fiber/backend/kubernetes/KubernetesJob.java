// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.JobTermination.Cause;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One pod, from before it is made to its last event. What is public is for any thread; methods that say so wait for the API
 * server and run on a thread that may; everything else belongs to the backend's own thread.
 */
final class KubernetesJob implements Job {

    /**
     * How long beyond its grace a pod may take to tell its exit code, before it is forgotten: a busy node needs that long.
     * Who has cancelled the job may wait less: for a session a process that it terminates has ended 5 s after its grace,
     * whether its exit code is known by then or not.
     */
    private static final long FORCE_AFTER_NS = TimeUnit.SECONDS.toNanos(20);

    private static final long FORCE_AGAIN_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long NODE_SLACK_S = 20;
    private static final long DEFAULT_GRACE_S = 30;

    /** What a job needs of the backend that it belongs to. */
    interface Owner {
        /** Runs on the backend's own thread. */
        void later(Runnable action);

        /** Runs on the backend's own thread after a delay. */
        Future<?> after(long delayNs, Runnable action);

        /** Runs on a thread that may wait for the API server. */
        void ask(Runnable question);

        /** Runs on a thread that may wait for the API server, after a while in which it may come to itself. */
        void askAgain(Runnable question);

        /** Hears that a job without a pod shall end. */
        void isUnwanted(KubernetesJob job);

        /** Hears that a job has told its end. */
        void hasEnded(KubernetesJob job);
    }

    private enum Phase {
        UNMADE,
        WAITING,
        RUNNING,
        ENDING,
        ENDED
    }

    private final String name;
    private final Place place;
    private final JobListener listener;
    private final Owner owner;
    private final Removal removal;
    private volatile JobState state = JobState.QUEUED;
    private volatile boolean cancelled;

    private Phase phase = Phase.UNMADE;
    private String reason = "";
    private @Nullable Runnable early;
    private boolean admitted;
    private boolean seen;
    private boolean taken;
    private volatile boolean gone;
    private @Nullable Future<?> force;
    private @Nullable Future<?> nodeLimit;
    private long killAtNs;

    /**
     * Where the job is.
     *
     * @param pod the name of its pod
     * @param secret the name of its submission's secret
     * @param plan what the pod is made of
     * @param text what it writes
     * @param cluster who is asked about it
     */
    record Place(String pod, String secret, PodPlan plan, JobText text, Cluster cluster) {}

    KubernetesJob(String name, Place place, JobListener listener, Owner owner) {
        this.name = name;
        this.place = place;
        this.listener = listener;
        this.owner = owner;
        this.removal = new Removal(place.cluster(), place.pod(), owner, this::isGoneNow);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String id() {
        return place.pod();
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
        owner.later(() -> end(grace));
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
        return "KubernetesJob[" + name + ", " + id() + ", " + state + "]";
    }

    JobText text() {
        return place.text();
    }

    /** Returns the name of the secret that the job shares with its submission. */
    String secret() {
        return place.secret();
    }

    /** Tells whether somebody wants the job to end; for any thread. */
    boolean isCancelled() {
        return cancelled;
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
            if (cancelled) {
                removal.begin(Duration.ZERO);
            }
        }
    }

    /** The pod cannot be made yet. */
    void parked(String why) {
        if (phase == Phase.UNMADE && cancelled) {
            owner.isUnwanted(this);
        } else if (phase == Phase.UNMADE) {
            waits(why);
        }
    }

    /** The pod will never be made. */
    void refused(JobTermination termination) {
        if (phase == Phase.UNMADE) {
            gone = true;
            tellEnd(termination);
        }
    }

    private void waits(String why) {
        if (!why.equals(reason) && phase != Phase.RUNNING) {
            reason = why;
            tell(new JobEvent.Waiting(this, why));
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
            state = JobState.RUNNING;
            tell(new JobEvent.Running(this, node));
            owner.ask(place.text()::follow);
        }
    }

    /** Somebody else has asked the cluster to remove the pod; if nothing comes of it, nobody on its node listens. */
    private void isTaken(Pod pod) {
        if (taken) {
            return;
        }
        taken = true;
        if (phase == Phase.RUNNING) {
            tell(new JobEvent.Preempting(this, "the pod is being deleted from outside"));
        }
        long grace = Optional.ofNullable(pod.getMetadata().getDeletionGracePeriodSeconds())
                .orElse(DEFAULT_GRACE_S);
        String node = String.valueOf(pod.getSpec().getNodeName());
        nodeLimit = owner.after(TimeUnit.SECONDS.toNanos(grace + NODE_SLACK_S), () -> {
            removal.force();
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
            owner.ask(this::lookNow);
        }
    }

    private void lookNow() {
        try {
            Pod pod = place.cluster().find(place.pod());
            owner.later(pod == null ? this::isGoneNow : () -> look(pod));
        } catch (BackendException | Refusal e) {
            System.getLogger(KubernetesJob.class.getName())
                    .log(Level.DEBUG, "The pod " + place.pod() + " is looked at later.", e);
        }
    }

    private void end(Duration grace) {
        if (phase == Phase.ENDING || phase == Phase.ENDED) {
            return;
        }
        long atNs = System.nanoTime() + Removal.saturatedNanos(grace);
        if (cancelled && atNs - killAtNs >= 0) {
            return;
        }
        cancelled = true;
        killAtNs = atNs;
        if (phase == Phase.UNMADE) {
            owner.isUnwanted(this);
        } else {
            removal.begin(grace);
        }
        if (force != null) {
            force.cancel(false);
        }
        force = owner.after(Removal.saturatedNanos(grace) + FORCE_AFTER_NS, this::force);
    }

    /** The session ends, and with it all its pods by one request. */
    void endWithSession() {
        if (phase == Phase.UNMADE) {
            end(Duration.ZERO);
        } else {
            cancelled = true;
        }
    }

    /** Old nodes do not hear that a grace has become shorter, and lost ones hear nothing. */
    private void force() {
        if (phase != Phase.ENDED && phase != Phase.UNMADE) {
            removal.force();
        }
        if (phase != Phase.ENDED) {
            force = owner.after(FORCE_AGAIN_NS, this::force);
        }
    }

    private void takeEnd(JobTermination termination) {
        if (phase == Phase.ENDING || phase == Phase.ENDED) {
            return;
        }
        phase = Phase.ENDING;
        owner.ask(() -> {
            place.text().finish();
            owner.later(() -> tellEnd(termination));
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
        JobTermination told = cancelled
                ? new JobTermination(JobState.CANCELLED, Cause.CANCELLED, termination.exitCode(), "")
                : termination;
        state = told.state();
        tell(new JobEvent.Ended(this, told));
        owner.hasEnded(this);
    }

    /** A listener that throws breaks its contract; the jobs of others must not suffer for it. */
    private void tell(JobEvent event) {
        try {
            listener.onEvent(event);
        } catch (Throwable e) {
            System.getLogger(KubernetesJob.class.getName())
                    .log(Level.WARNING, "A listener failed at " + event + ".", e);
        }
    }
}
