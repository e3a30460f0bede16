// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static java.util.Objects.requireNonNull;

import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.SubmissionGate;
import io.fiber.backend.support.batch.BatchJob;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.NotedCommands;
import io.fiber.backend.support.batch.Scheduler;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.backend.support.batch.Watch;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Leftover;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Jobs as elements of Slurm's job arrays, or as steps of the job around this process; one squeue for all that is watched. */
final class SlurmBackend implements Backend {

    private static final long CLOSE_GRACE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(6);

    /** What cannot be said to a login node within this time of a close is left to a process that outlives this one. */
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(9);

    private static final int MOST_NAMED = 3;
    private static final Duration VARIABLES_LIMIT = Duration.ofSeconds(20);
    private static final String SBATCH_CLUSTERS = "SBATCH_CLUSTERS";

    /** By which the process is known that does what a close could not. */
    static final String LATER = "fiber-slurm-later";

    private final BackendContext context;
    private final Login login;
    private final CallerHost callerHost;
    private final OptionalInt slots;
    private final SharedFolder folder;
    private final NotedCommands commands;
    private final Watch watch;
    private final Launcher launcher;
    private final Set<BatchJob> jobs = ConcurrentHashMap.newKeySet();
    private final Reaper.Registration folderRemoval;
    private final Set<Reaper.Registration> atDeath = ConcurrentHashMap.newKeySet();
    private final Slurm slurm;
    private final DetachedQueue detached;
    private final Remains remains;
    /** Of the run that is to be handed over; empty when there is none. */
    private volatile String note = "";

    private final SubmissionGate gate = new SubmissionGate(SlurmBackendProvider.NAME);

    SlurmBackend(BackendContext context, Login login, SiteOptions site) {
        this.context = requireNonNull(context, "context");
        this.login = login;
        this.commands = new NotedCommands(login.commands(), SlurmBackendProvider.SHOWN);
        Optional<String> cluster = site.cluster().or(this::clusterOfVariables);
        this.slurm = new Slurm(commands, cluster, site.commandLimit());
        this.callerHost = MasterAddress.find(site, slurm, login.remote());
        Path directory = login.remote().isPresent()
                ? SiteOptions.remoteDirectory(context.options(), login.home())
                : SiteOptions.directory(context.options(), login.home());
        this.detached = new DetachedQueue(slurm, this.login, directory, () -> gate.handOver(this::handOver));
        this.remains = new Remains(slurm, login, directory);
        this.folder = SharedFolder.create(SlurmBackendProvider.SHOWN, login.files(), directory, context.sessionId());
        if (login.remote().isEmpty()) {
            context.environment()
                    .variable(Allocation.JOB_ID)
                    .ifPresent(job -> folder.note(Remains.JOB_FILE, job + " " + slurm.clusterName()));
        }
        this.folderRemoval = atDeath(List.of("rm", "-rf", folder.path().toString()));
        Optional<Steps> steps = site.steps() && isAround(cluster) ? steps(slurm) : Optional.empty();
        this.slots = steps.map(each -> OptionalInt.of(each.slots())).orElseGet(OptionalInt::empty);
        this.watch = new Watch(steps.<Scheduler>map(each -> each).orElse(slurm), folder, site.pollInterval());
        int longestArray = slurm.longestArray();
        JobScript script = new JobScript(site, Path.of("").toAbsolutePath(), slurm.badNodes(), longestArray > 0);
        this.launcher = new Launcher(
                new Launcher.Tools(folder, script, slurm, this::atDeath, longestArray, login.remote()), steps, watch);
    }

    /** As sbatch does: the user's profile says where jobs go. */
    private Optional<String> clusterOfVariables() {
        if (login.remote().isPresent()) {
            String name = commands.run(Commands.Command.of(VARIABLES_LIMIT, List.of("printenv", SBATCH_CLUSTERS)))
                    .output();
            return name.isBlank()
                    ? Optional.empty()
                    : Optional.of(
                            SiteOptions.oneCluster("The variable " + SBATCH_CLUSTERS + " of the login node", name));
        }
        return Stream.of(SBATCH_CLUSTERS, "SLURM_CLUSTERS")
                .flatMap(variable -> context.environment().variable(variable).stream()
                        .map(name -> SiteOptions.oneCluster("The variable " + variable, name)))
                .findFirst();
    }

    /** Returns whether the job around this process is on the cluster that takes the workers. */
    private boolean isAround(Optional<String> cluster) {
        return cluster.isEmpty()
                || context.environment().variable("SLURM_CLUSTER_NAME").equals(cluster);
    }

    private Optional<Steps> steps(Slurm slurm) {
        return login.srun().flatMap(srun -> {
            Optional<Allocation> found = Allocation.of(context.environment(), slurm::details);
            Allocation.inWords(context.environment(), found).ifPresent(text -> log(Level.INFO, text));
            return found.map(allocation -> new Steps(allocation, srun, slurm, context.directory()));
        });
    }

    private static void log(Level level, String text) {
        System.getLogger(SlurmBackend.class.getName()).log(level, text);
    }

    private Reaper.Registration atDeath(List<String> words) {
        Reaper.Registration registration =
                context.reaper().onDeath(login.atDeath().apply(words));
        atDeath.add(registration);
        return () -> {
            registration.cancel();
            atDeath.remove(registration);
        };
    }

    @Override
    public CallerHost callerHost() {
        return callerHost;
    }

    @Override
    public OptionalInt slots() {
        return slots;
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        requireNonNull(listener, "listener");
        submission.requireOffered(SlurmBackendProvider.NAME, SlurmBackendProvider.CAPABILITIES);
        return gate.pass(() -> {
            List<BatchJob> started = launcher.launch(submission, listener);
            jobs.removeIf(BatchJob::isEnded);
            jobs.addAll(started);
            if (DetachedRuns.isOne(submission.spec())) {
                note = note(started.get(0), submission.spec());
            }
            return List.copyOf(started);
        });
    }

    private String note(BatchJob job, JobSpec spec) {
        return new DetachedNote(
                        job.id(),
                        Instant.now(),
                        folder.path().resolve("job-0"),
                        DetachedQueue.labelsOf(context.sessionId(), job.name(), spec.labels()),
                        slurm.clusterName(),
                        "")
                .text();
    }

    @Override
    public Optional<DetachedJobs> detachedJobs() {
        return Optional.of(detached);
    }

    /** All that a job needs is in the shared directory when it is submitted. */
    private boolean handOver() {
        if (!note.isEmpty()) {
            folder.note(DetachedNote.FILE, note);
        }
        watch.leave();
        atDeath.forEach(Reaper.Registration::cancel);
        return true;
    }

    @Override
    public List<Leftover> leftovers() {
        List<DetachedJob> runs = detached.all();
        List<Leftover> leftovers = new ArrayList<>(
                remains.ofOthers(runs.stream().map(DetachedJob::sessionId).collect(Collectors.toSet())));
        runs.stream()
                .filter(job -> job.end().isPresent() && !job.sessionId().isEmpty())
                .map(job -> new Leftover(job.sessionId(), "1 folder", DetachedQueue.doubt(job)))
                .forEach(leftovers::add);
        return leftovers;
    }

    @Override
    public void remove(Leftover leftover) {
        // First, so that the folder, by which they are found, stays when Slurm does not answer.
        slurm.cancelSession(leftover.sessionId());
        detached.remove(leftover.sessionId());
    }

    @Override
    public Optional<String> preview(Submission submission) {
        submission.requireOffered(SlurmBackendProvider.NAME, SlurmBackendProvider.CAPABILITIES);
        return Optional.of(launcher.preview(submission));
    }

    @Override
    public void close() {
        // So that a submission that is under way ends, too.
        leave();
        gate.close(this::end);
    }

    private void leave() {
        login.remote().ifPresent(remote -> remote.leave(LEAVE_LIMIT));
    }

    private void end() {
        if (gate.isHandedOver()) {
            login.remote().ifPresent(SshLogin::close);
            return;
        }
        leave();
        watch.cancelAll(CLOSE_GRACE_NS);
        boolean confirmed = false;
        try {
            confirmed = watch.awaitEnds(System.nanoTime() + CLOSE_LIMIT.toNanos());
            if (!confirmed) {
                tellWhatIsLeft();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watch.close();
            removeFolder(confirmed);
            login.remote().ifPresent(SshLogin::close);
        }
    }

    private void tellWhatIsLeft() {
        List<BatchJob> left = jobs.stream().filter(job -> !job.isEnded()).toList();
        log(
                Level.WARNING,
                "Slurm did not confirm within " + CLOSE_LIMIT.toMillis() + " ms that " + left.size()
                        + " jobs of session " + context.sessionId() + " have ended, among them "
                        + left.stream().limit(MOST_NAMED).toList() + "; " + commands.last()
                        + ". What still runs ends itself, because the session's folder is gone; what waits is cancelled by a"
                        + " small process as soon as Slurm answers.");
    }

    /** Jobs end themselves when it is gone, so it must go; those that wait do not, so they must be cancelled. */
    private void removeFolder(boolean confirmed) {
        if (!folder.remove() || !confirmed) {
            String script = "rm -rf \"$2\"; " + slurm.cancelSessionScript();
            login.later()
                    .accept(List.of(
                            "/bin/sh",
                            "-c",
                            script,
                            LATER,
                            context.sessionId(),
                            folder.path().toString()));
        }
        folderRemoval.cancel();
    }
}
