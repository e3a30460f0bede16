// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A cluster inside this JVM that can inject faults. The backends that its {@link #provider} opens share it. Blocks only
 * in slowness. Thread-safe.
 */
public final class SimulatedPlatform {

    /** How a program receives its bootstrap bytes. */
    public enum Delivery {
        /** By standard input. */
        STANDARD_INPUT,
        /** By a file of mode 0600 in the session's directory. */
        FILE
    }

    /** What happens to a child with a session of its own if its job is killed. */
    public enum Sessions {
        /** It ends with the job, as in a control group. */
        END_WITH_THEIR_JOB,
        /** It survives, as on platforms where jobs are only process groups. */
        LIVE_ON
    }

    private static final String UMASK = "0022";

    private final Function<String, Timeline> timelines;
    private final Map<String, SimulatedJob> jobs = new ConcurrentHashMap<>();
    private final AtomicInteger ids = new AtomicInteger();
    private final AtomicInteger startsToFail = new AtomicInteger();
    private volatile String startFailure = "";
    private volatile Duration startDelay = Duration.ZERO;
    private volatile boolean outage;
    private volatile boolean full;
    private volatile boolean keepsEndedJobs;
    private volatile CountDownLatch slowness = new CountDownLatch(0);
    private final AtomicInteger answersToLose = new AtomicInteger();
    private volatile String umask = UMASK;
    private volatile Sessions sessions = Sessions.END_WITH_THEIR_JOB;
    private volatile Delivery delivery = Delivery.STANDARD_INPUT;
    private volatile BiFunction<JobSpec, String, JobPlan> plans = (spec, name) -> new JobPlan.Program();

    /** Creates a platform without faults in real time. */
    public SimulatedPlatform() {
        this.timelines = sessionId -> new RealTimeline("simulated-backend-" + sessionId);
    }

    /** Creates a platform without faults whose time the test advances. */
    public SimulatedPlatform(VirtualTimeline timeline) {
        this.timelines = sessionId -> timeline;
    }

    /** Returns the provider of this platform's backends. */
    public BackendProvider provider() {
        return new SimulatedBackendProvider(this);
    }

    /** Sets what each job does, by its spec and its name; by default it runs its program. */
    public void planJobs(BiFunction<JobSpec, String, JobPlan> planner) {
        plans = planner;
    }

    /** Sets how programs receive bootstrap bytes; by standard input by default. */
    public void deliverBootstrapBy(Delivery way) {
        delivery = way;
    }

    /** Keeps every job that is submitted from now on in the queue for this time. */
    public void delayStarts(Duration delay) {
        startDelay = delay;
    }

    /** Makes the next {@code count} starts fail with this detail. */
    public void failNextStarts(int count, String detail) {
        startFailure = detail;
        startsToFail.set(count);
    }

    /** Makes the platform's interface unreachable: nothing is accepted or reported, but jobs keep running. */
    public void beginOutage() {
        outage = true;
    }

    /** Makes the interface reachable again; what happened meanwhile is reported. */
    public void endOutage() {
        outage = false;
        jobs.values().forEach(SimulatedJob::tellWhatWasWithheld);
    }

    /** Makes submissions wait until {@link #endSlowness}; everything else goes on as before. */
    public void beginSlowness() {
        slowness = new CountDownLatch(1);
    }

    /** Lets submissions go on. */
    public void endSlowness() {
        slowness.countDown();
    }

    /** Accepts the next submission and loses the answer: its jobs run, and the backend is told that nothing answers. */
    public void loseNextAnswer() {
        answersToLose.set(1);
    }

    /** Suspends a running job: what its program does is not reported until {@link #resume}. */
    public void suspend(Job job) {
        withJob(job, SimulatedJob::suspend);
    }

    /** Lets a suspended job go on. */
    public void resume(Job job) {
        withJob(job, SimulatedJob::resume);
    }

    /** Starts the program of a running job again, as a platform does that moves a job to another node. */
    public void restart(Job job) {
        withJob(job, SimulatedJob::restart);
    }

    /** Keeps jobs on its list that their session has ended, as a platform does with jobs in an error state. */
    public void keepEndedJobs() {
        keepsEndedJobs = true;
    }

    /** Sets the permissions that files of programs do not get, in octal; 0022 by default. */
    public void setUmask(String mask) {
        umask = mask;
    }

    /** Returns the names of a session's jobs that it still lists; runs are not among them. */
    public List<String> left(String sessionId) {
        return jobs.values().stream()
                .filter(job -> job.sessionId().equals(sessionId) && !job.isOfARun())
                .map(SimulatedJob::name)
                .toList();
    }

    /** Takes all room for jobs: those that are submitted from now on wait. */
    public void fill() {
        full = true;
    }

    /** Frees the room; waiting jobs are started. */
    public void empty() {
        full = false;
        jobs.values().forEach(SimulatedJob::startWhenThereIsRoom);
    }

    /** Sets what happens to children with sessions of their own; they end with their job by default. */
    public void letSessions(Sessions fate) {
        sessions = fate;
    }

    /** Announces to a job that it will be preempted, and preempts it after {@code notice}. */
    public void preempt(Job job, Duration notice) {
        withJob(job, found -> found.preempt(notice));
    }

    /** Kills a job's program without the backend, like {@code kill -9}. */
    public void kill(Job job) {
        withJob(job, SimulatedJob::killFromOutside);
    }

    /** Removes the node on which a job runs. */
    public void loseNode(Job job) {
        withJob(job, SimulatedJob::loseNode);
    }

    /** Returns the labels of a job; empty if the platform does not know it. */
    public Optional<Map<String, String>> labelsOf(Job job) {
        return Optional.ofNullable(jobs.get(job.id())).map(found -> found.spec().labels());
    }

    /** Returns all jobs that it knows, including those that have ended. */
    Collection<SimulatedJob> jobs() {
        return List.copyOf(jobs.values());
    }

    private void withJob(Job job, Consumer<SimulatedJob> action) {
        SimulatedJob found = jobs.get(job.id());
        if (found == null) {
            throw new IllegalArgumentException("Job '" + job.name() + "' with id '" + job.id()
                    + "' is not one of this platform; expected one of " + jobs.keySet() + ".");
        }
        action.accept(found);
    }

    Timeline timeline(String sessionId) {
        return timelines.apply(sessionId);
    }

    String nextId() {
        return "sim-" + ids.incrementAndGet();
    }

    void add(SimulatedJob job) {
        jobs.put(job.id(), job);
    }

    void remove(SimulatedJob job) {
        if (!keepsEndedJobs) {
            jobs.remove(job.id());
        }
    }

    String umask() {
        return umask;
    }

    /** Returns whether the answer to a submission that was accepted is lost. */
    boolean losesAnswer() {
        return answersToLose.getAndSet(0) > 0;
    }

    void awaitSpeed() {
        try {
            slowness.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException(
                    "This thread was interrupted while it waited for the simulated platform.", e);
        }
    }

    JobPlan plan(JobSpec spec, String name) {
        return plans.apply(spec, name);
    }

    Delivery delivery() {
        return delivery;
    }

    Duration startDelay() {
        return startDelay;
    }

    /** Returns why the next start fails; empty if it does not. */
    Optional<String> takeStartFailure() {
        int before = startsToFail.getAndUpdate(left -> Math.max(0, left - 1));
        return before > 0 ? Optional.of(startFailure) : Optional.empty();
    }

    boolean isFull() {
        return full;
    }

    Sessions sessions() {
        return sessions;
    }

    boolean isOut() {
        return outage;
    }

    void checkReachable(String what) {
        if (outage) {
            throw new BackendUnavailableException(
                    "The simulated platform does not answer: cannot " + what + " now. It does after endOutage().");
        }
    }
}
