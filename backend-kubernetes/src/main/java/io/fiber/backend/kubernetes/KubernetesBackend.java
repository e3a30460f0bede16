// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fiber.backend.support.BackendThreads;
import io.fiber.backend.support.FailedJobs;
import io.fiber.backend.support.SessionLabels;
import io.fiber.backend.support.SessionOwner;
import io.fiber.backend.support.SubmissionGate;
import io.fiber.backend.support.Sweep;
import io.fiber.spi.CallerHost;
import io.fiber.spi.Options;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.Leftover;
import io.fiber.spi.backend.Submission;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Starts pods and reports what happens to them. Thread-safe. */
final class KubernetesBackend implements Backend {

    /** How many threads wait for the API server. */
    private static final int API_THREADS = 8;

    /*
     * Close may take ten seconds: 1.5 s for the request that deletes the pods, 4.5 s until they have ended, which
     * includes their grace, and 2.5 s for removing the rest. Threads and connections are closed in the remaining 1.5 s.
     */
    private static final long CLOSE_ASK_LIMIT_MS = 1_500;
    private static final long CLOSE_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(4_500);
    private static final long CLOSE_GRACE_S = 2;
    private static final long SWEEP_LIMIT_MS = 2_500;

    private final Cluster cluster;
    private final Options options;
    private final PodPlan.Setting setting;
    private final CallerHost callerHost;
    private final BackendThreads threads = new BackendThreads(KubernetesBackendProvider.NAME, API_THREADS);
    private final Map<String, KubernetesJob> jobs = new ConcurrentHashMap<>();
    private final ClassPathServer server;
    private final Parking parking;
    private final Preparation preparation;
    private final Launcher launcher;
    private final Watch watch;

    private final SubmissionGate gate = new SubmissionGate(KubernetesBackendProvider.NAME);
    private final Sweep sweep;
    private final DetachedPods detached;
    private volatile boolean hasRestarts;
    private volatile boolean closing;

    KubernetesBackend(BackendContext context, Cluster cluster, KubernetesOptions options) {
        this.cluster = cluster;
        Template template = Template.of(options);
        Rights.check(cluster, threads);
        this.options = options.place().jobsSubmit() ? withAccount(context, options, template) : context.options();
        Optional<OwnPod> own = OwnPod.find(cluster, context.environment());
        SessionLabels labels = Cluster.labels(context.sessionId()).with(SessionOwner.labels());
        this.sweep = new Sweep(context.reaper(), Remains.command(cluster.address(), labels, options.failedJobs()));
        this.setting = new PodPlan.Setting(KubernetesOptions.of(this.options), template, own, labels);
        this.detached = new DetachedPods(cluster, setting, () -> gate.handOver(this::handOver));
        this.callerHost = MasterAddress.find(cluster, options, own);
        this.server = new ClassPathServer(callerHost, options.classPath().port(), context.directory());
        this.parking = new Parking(cluster, threads);
        this.preparation = new Preparation(cluster, threads, jobs.values());
        this.launcher = new Launcher(
                cluster,
                new Launcher.Tools(server, threads, parking, jobs),
                job -> threads.ask(() -> removeEnded(job)));
        this.watch = new Watch(cluster, labels, new PodEvents());
    }

    /** Returns the options with the account with which programs in pods create pods. */
    private Options withAccount(BackendContext context, KubernetesOptions chosen, Template template) {
        Optional<String> named = chosen.place().serviceAccount().or(template::serviceAccount);
        String account = new Rights.Accounts(cluster, threads).ofPrograms(named);
        return context.options().with(Map.of("service-account", account), KubernetesOptions.keys());
    }

    private SessionLabels labels() {
        return setting.labels();
    }

    private FailedJobs failedJobs() {
        return setting.options().failedJobs();
    }

    @Override
    public CallerHost callerHost() {
        return callerHost;
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        requireNonNull(listener, "listener");
        PodPlan plan = plan(submission);
        return gate.pass(() -> {
            sweep.prepare();
            threads.later(watch::open);
            hasRestarts |= plan.isRestarted();
            List<Job> made = List.copyOf(launcher.launch(submission, plan, listener));
            threads.later(preparation::watch);
            return made;
        });
    }

    @Override
    public Optional<String> preview(Submission submission) {
        return Optional.of(launcher.preview(submission, plan(submission)));
    }

    private PodPlan plan(Submission submission) {
        return new PodPlan(submission.spec(), setting.of(submission.spec(), options));
    }

    @Override
    public List<Leftover> leftovers() {
        return Remains.ofOthers(cluster);
    }

    @Override
    public void remove(Leftover leftover) {
        Remains.remove(cluster, leftover);
    }

    @Override
    public Optional<DetachedJobs> detachedJobs() {
        return Optional.of(detached);
    }

    private boolean handOver() {
        if (!jobs.values().stream().allMatch(KubernetesJob::isSelfSufficient)) {
            return false;
        }
        sweep.leave();
        return true;
    }

    /** Receives changes of pods from the watch. */
    private final class PodEvents implements ResourceEventHandler<Pod> {
        @Override
        public void onAdd(Pod pod) {
            tell(pod, KubernetesJob::look);
        }

        @Override
        public void onUpdate(Pod before, Pod pod) {
            tell(pod, KubernetesJob::look);
        }

        @Override
        public void onDelete(Pod last, boolean unknown) {
            tell(last, KubernetesJob::gone);
        }

        @Override
        public void onList(String resourceVersion, boolean remainedEmpty) {
            threads.later(() -> jobs.values().forEach(KubernetesJob::listed));
        }

        private void tell(Pod pod, BiConsumer<KubernetesJob, Pod> what) {
            threads.later(() -> {
                KubernetesJob job = jobs.get(KeptRun.idOf(pod));
                if (job != null) {
                    what.accept(job, pod);
                }
            });
        }
    }

    /**
     * Removes what an ended job has left. Waits for the API server. What cannot be removed now is removed at the end of
     * the session.
     */
    private void removeEnded(KubernetesJob job) {
        try {
            endText(job);
            if (!closing) {
                boolean kept = job.isDetached() || (failedJobs() == FailedJobs.KEPT && job.state() == JobState.FAILED);
                if (!kept && !job.isGone() && !job.isCancelled()) {
                    cluster.delete(job.id(), Cluster.SHORTEST_GRACE_S);
                }
                if (jobs.values().stream().noneMatch(each -> each.secret().equals(job.secret()))) {
                    cluster.deleteSecret(job.secret());
                }
                parking.retry();
            }
        } catch (BackendException | Refusal e) {
            System.getLogger(KubernetesBackend.class.getName())
                    .log(Level.DEBUG, "The pod of " + job + " is removed later.", e);
        } finally {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    private void endText(KubernetesJob job) {
        try {
            job.text().close();
        } finally {
            jobs.remove(job.id());
        }
    }

    @Override
    public void close() {
        gate.close(this::end);
    }

    private void end() {
        closing = true;
        try {
            if (gate.isHandedOver()) {
                watch.close();
            } else {
                endJobs();
            }
        } finally {
            threads.close();
            server.close();
            cluster.close();
        }
    }

    private void endJobs() {
        threads.later(() -> jobs.values().forEach(KubernetesJob::endWithSession));
        if (!jobs.isEmpty()) {
            threads.within(CLOSE_ASK_LIMIT_MS, () -> deletePods(CLOSE_GRACE_S));
        }
        boolean interrupted = false;
        try {
            awaitNoJobs();
        } catch (InterruptedException e) {
            // The steps below still wait for the API server, within their limits.
            interrupted = true;
        }
        watch.close();
        threads.finish(() -> jobs.values().forEach(KubernetesJob::giveUp));
        threads.forgetQuestions();
        sweep.finish(
                this::isSwept,
                "The API server did not confirm in time that all pods of session "
                        + labels().sessionId()
                        + " are gone; a small process tries it for ten minutes. By hand: kubectl -n "
                        + cluster.namespace() + " delete pods,secrets -l " + labels().selector());
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void awaitNoJobs() throws InterruptedException {
        long deadlineNs = System.nanoTime() + CLOSE_LIMIT_NS;
        while (!jobs.isEmpty()) {
            long leftNs = deadlineNs - System.nanoTime();
            if (leftNs <= 0) {
                return;
            }
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
    }

    private boolean isSwept() {
        return threads.within(SWEEP_LIMIT_MS, () -> {
            deletePods(0);
            cluster.deleteSecrets(labels());
        });
    }

    /** Ends all pods of the session, and before that the Jobs of the API that would replace them. */
    private void deletePods(long graceSeconds) {
        if (hasRestarts) {
            cluster.deleteJobs(labels());
        }
        cluster.deletePods(labels(), graceSeconds, failedJobs());
    }
}
