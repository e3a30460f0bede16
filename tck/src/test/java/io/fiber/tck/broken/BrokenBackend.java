// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.spec.EndCause;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Leftover;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.NullUnmarked;

/** The simulated backend with one bug. */
@NullUnmarked
final class BrokenBackend implements Backend {

    private static final int REMEMBERED = 100;

    private static final long LATE_NS = 50_000_000;

    private final Backend real;
    private final BackendContext context;
    private final BackendBug bug;
    private final BrokenBackendProvider provider;
    private final List<BrokenJob> jobs = new CopyOnWriteArrayList<>();
    private final BrokenTraces traces;
    private final BrokenOrder order;
    private final Queue<Runnable> toldLate = new ConcurrentLinkedQueue<>();
    private final Set<String> forgotten = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean closing;
    private final Map<String, JobOutput> outputs = new ConcurrentHashMap<>();
    private final Set<String> startedNames = ConcurrentHashMap.newKeySet();
    private final Set<String> timedOut = ConcurrentHashMap.newKeySet();
    private final Map<String, Reaper.Registration> registrations = new ConcurrentHashMap<>();
    private boolean closed;
    private boolean outageSeen;

    BrokenBackend(Backend real, BackendContext context, BackendBug bug, BrokenBackendProvider provider) {
        this.real = real;
        this.context = context;
        this.bug = bug;
        this.provider = provider;
        this.traces = new BrokenTraces(context, bug, provider);
        this.order = new BrokenOrder(bug, traces);
    }

    private boolean has(BackendBug other) {
        return bug == other;
    }

    List<BrokenJob> jobs() {
        return jobs;
    }

    @Override
    public CallerHost callerHost() {
        CallerHost host = real.callerHost();
        return has(BackendBug.CALLER_HOST_CHANGES) && !jobs.isEmpty()
                ? new CallerHost(host.bind(), "elsewhere", host.reach())
                : host;
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        if (closed && has(BackendBug.CLOSED_TAKES_MORE)) {
            return List.of();
        }
        if (has(BackendBug.LABELS_REFUSED) && !submission.spec().labels().isEmpty()) {
            throw new JobRejectedException("no labels");
        }
        if (has(BackendBug.NAMES_OF_ALL_SESSIONS)) {
            submission.instances().forEach(each -> provider.takeName(each.name()));
        }
        traces.ofASubmission();
        submission.instances().forEach(each -> register(each, submission.spec()));
        if (has(BackendBug.FILES_TRUNCATED) && submission.spec().output() instanceof JobOutput.Files files) {
            submission
                    .instances()
                    .forEach(each -> BrokenTraces.delete(files.directory().resolve(each.name() + ".log")));
        }
        if (has(BackendBug.HUNDRED_JOBS_ARE_REMEMBERED)) {
            submission.instances().stream().skip(REMEMBERED).forEach(each -> forgotten.add(each.name()));
        }
        JobListener broken = new BrokenListener(listener, this, bug);
        if (has(BackendBug.RUNS_TWICE)) {
            broken = runningAgain(submission, broken);
        }
        List<Job> submitted;
        try {
            submitted = submitReally(order.change(submission), broken);
        } catch (BackendUnavailableException e) {
            outageSeen = true;
            throw has(BackendBug.OUTAGE_IS_REJECTION) ? new JobRejectedException("refused", e) : e;
        } catch (JobRejectedException e) {
            throw has(BackendBug.REFUSAL_WITHOUT_CODE) ? new JobRejectedException("will not work", e) : e;
        }
        List<Job> returned = new ArrayList<>();
        for (Job job : submitted) {
            BrokenJob each = new BrokenJob(job, this, bug, listener);
            returned.add(each);
            jobs.add(each);
        }
        if (has(BackendBug.TIME_COUNTS_FROM_SUBMISSION)) {
            submission.spec().timeLimit().ifPresent(limit -> submitted.forEach(job -> endAfter(job, limit)));
        }
        if (has(BackendBug.QUEUED_IS_RUNNING) && provider.isFull()) {
            returned.forEach(job -> listener.onEvent(new JobEvent.Running(job, "soon")));
        }
        if (has(BackendBug.JOBS_REVERSED)) {
            Collections.reverse(returned);
        }
        return has(BackendBug.SUBMIT_RETURNS_NULL) ? null : returned;
    }

    private List<Job> submitReally(Submission submission, JobListener listener) {
        switch (bug) {
            case INTERRUPT_SWALLOWED -> Thread.interrupted();
            case ORDER_TAKEN_TWICE -> real.submit(submission, listener);
            case LOST_ANSWER_IS_REPEATED -> {
                if (provider.losesAnswer()) {
                    real.submit(submission, ignored -> {});
                }
            }
            case LISTENER_CALLED_UNDER_A_LOCK, SLOW_SUBMIT_BLOCKS_CANCEL -> {
                List<Job> submitted = new ArrayList<>();
                locked(() -> submitted.addAll(real.submit(submission, listener)));
                return submitted;
            }
            default -> {}
        }
        return real.submit(submission, listener);
    }

    /** Does something under the one lock of the backend. */
    void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    /** Tells that a job runs. */
    void tellStart(Job started) {
        jobs.stream()
                .filter(job -> job.name().equals(started.name()))
                .forEach(job -> job.listener().onEvent(new JobEvent.Running(job, "simulated-host")));
    }

    @Override
    public Optional<String> preview(Submission submission) {
        if (!has(BackendBug.PREVIEW_REFUSES_NOTHING)) {
            submission.requireOffered("simulated", provider.expected());
        }
        if (has(BackendBug.PREVIEW_STARTS)) {
            real.submit(submission, ignored -> {});
        }
        Submission shown = has(BackendBug.PREVIEW_SHOWS_BOOTSTRAP) ? withBootstrapAsArgument(submission) : submission;
        return Optional.of(((Program.Java) shown.spec().program())
                .commandLine("java", List.of(), ":")
                .toString());
    }

    private static Submission withBootstrapAsArgument(Submission submission) {
        Program.Java java = (Program.Java) submission.spec().program();
        List<String> arguments = new ArrayList<>(java.arguments());
        submission
                .instances()
                .forEach(each -> arguments.add(
                        Base64.getEncoder().encodeToString(each.bootstrap().copyBytes())));
        Program.Java telling = new Program.Java(
                java.executable(), java.jvmOptions(), java.classPath(), java.modulePath(), java.main(), arguments);
        return new Submission(JobSpec.builder(telling).build(), submission.instances());
    }

    /** As a platform does that starts again what has ended; before the end is told, so that nobody can be too early. */
    private JobListener runningAgain(Submission submission, JobListener listener) {
        return event -> {
            if (event instanceof JobEvent.Ended ended && ended.termination().cause() == EndCause.EXITED) {
                submission.instances().stream()
                        .filter(each -> each.name().equals(ended.job().name()))
                        .map(each -> Submission.of(submission.spec(), each.name(), each.bootstrap()))
                        .forEach(again -> real.submit(again, ignored -> {}));
            }
            listener.onEvent(event);
        };
    }

    private void register(Submission.Instance instance, JobSpec spec) {
        traces.ofAJob();
        outputs.put(instance.name(), spec.output());
        if (has(BackendBug.BOOTSTRAP_IN_REAPER) && instance.bootstrap().length() > 0) {
            String secret = new String(instance.bootstrap().copyBytes(), StandardCharsets.ISO_8859_1);
            registrations.put(instance.name(), context.reaper().onDeath(List.of("true", secret)));
        }
    }

    private void endAfter(Job job, Duration limit) {
        Thread timer = new Thread(() -> {
            LockSupport.parkNanos(limit.toNanos());
            if (!job.state().isFinal()) {
                timedOut.add(job.name());
                job.cancel(Duration.ZERO);
            }
        });
        timer.setDaemon(true);
        timer.start();
    }

    boolean isTimedOut(Job job) {
        return timedOut.contains(job.name());
    }

    void saw(JobEvent event) {
        if (event instanceof JobEvent.Running) {
            startedNames.add(event.job().name());
        }
        Reaper.Registration registration = event instanceof JobEvent.Ended
                ? registrations.remove(event.job().name())
                : null;
        if (registration != null) {
            registration.cancel();
        }
    }

    boolean hasStarted(Job job) {
        return startedNames.contains(job.name());
    }

    JobOutput outputOf(Job job) {
        return outputs.get(job.name());
    }

    boolean isOut() {
        return provider.isOut();
    }

    @Override
    public boolean isOneHost() {
        return has(BackendBug.ONE_HOST_CHANGES) ? jobs.isEmpty() : real.isOneHost();
    }

    void tellEveryJobIsLost() {
        outageSeen = true;
        jobs.forEach(job -> job.listener().onEvent(new JobEvent.Ended(job, JobTermination.lost("no answer"))));
    }

    void sawOutage() {
        outageSeen = true;
    }

    boolean isForgotten(Job job) {
        return forgotten.contains(job.name());
    }

    boolean isClosing() {
        return closing;
    }

    void tellLate(Runnable word) {
        toldLate.add(word);
    }

    boolean hasSeenOutage() {
        return outageSeen;
    }

    boolean isPlatformFull() {
        return provider.isFull();
    }

    @Override
    public List<Leftover> leftovers() {
        List<Leftover> left = new ArrayList<>(real.leftovers());
        if (has(BackendBug.LIVE_SESSIONS_ARE_LEFT)) {
            provider.sessionIds().forEach(id -> left.add(new Leftover(id, "something", Optional.empty())));
        }
        return left;
    }

    @Override
    public void remove(Leftover leftover) {
        if (!has(BackendBug.LEFTOVERS_STAY)) {
            real.remove(leftover);
        }
    }

    @Override
    public Optional<DetachedJobs> detachedJobs() {
        return real.detachedJobs().map(runs -> new BrokenRuns(runs, context.sessionId(), bug));
    }

    /** Removes the files that a bug has left; after the test. */
    void tidyUp() {
        traces.tidyUp();
    }

    String sessionId() {
        return context.sessionId();
    }

    void closeReally() {
        real.close();
    }

    @Override
    public void close() {
        if (closed && has(BackendBug.SECOND_CLOSE_THROWS)) {
            throw new IllegalStateException("closed already");
        }
        if (!closed && outageSeen && has(BackendBug.SLOW_CLOSE_IN_OUTAGE)) {
            long endNs = System.nanoTime() + Duration.ofMillis(12_500).toNanos();
            while (System.nanoTime() - endNs < 0) {
                LockSupport.parkNanos(10_000_000);
            }
        }
        if (!closed
                && has(BackendBug.INTERRUPT_ENDS_CLOSE)
                && Thread.currentThread().isInterrupted()) {
            closed = true;
            return;
        }
        closed = true;
        closing = true;
        traces.ofClose();
        if (has(BackendBug.CLOSE_HITS_OTHERS)) {
            provider.closeOthers();
        }
        real.close();
        if (has(BackendBug.TOLD_AFTER_CLOSE)) {
            new Thread(() -> {
                        LockSupport.parkNanos(LATE_NS);
                        toldLate.forEach(Runnable::run);
                    })
                    .start();
        }
        traces.afterClose();
    }
}
