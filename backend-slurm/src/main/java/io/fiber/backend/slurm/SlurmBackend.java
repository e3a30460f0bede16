// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.batch.BatchBackend;
import io.fiber.backend.support.batch.BatchHost;
import io.fiber.backend.support.batch.Commands;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.DetachedJob;
import io.fiber.spi.backend.DetachedJobs;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.Leftover;
import io.fiber.spi.backend.Submission;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What Slurm has beyond other batch systems: the allocation around this process, and jobs that it keeps without this process. */
final class SlurmBackend implements Backend {

    private static final Duration VARIABLES_LIMIT = Duration.ofSeconds(20);
    private static final String SBATCH_CLUSTERS = "SBATCH_CLUSTERS";

    private final BackendContext context;
    private final BatchHost host;
    private final Slurm slurm;
    private final BatchBackend batch;
    private final OptionalInt slots;
    private final DetachedQueue detached;
    private final Remains remains;
    /** Of the run that is to be handed over; empty when there is none. */
    private volatile String note = "";

    SlurmBackend(BackendContext context, BatchHost host, Optional<Steps.Starter> srun, SiteOptions site) {
        this.context = context;
        this.host = host;
        Optional<String> cluster = site.cluster().or(this::clusterOfVariables);
        this.slurm = new Slurm(host.commands(), cluster, site.commandLimit());
        CallerHost callerHost = MasterAddress.find(site, slurm, host);
        this.detached = new DetachedQueue(slurm, host, this::handOver);
        this.remains = new Remains(slurm, host);
        JobScript script =
                new JobScript(site, Path.of("").toAbsolutePath(), slurm.badNodes(), slurm.longestArray() > 0);
        Optional<Steps> steps = srun.filter(any -> site.steps() && isAround(cluster))
                .flatMap(each -> steps(new Steps.Srun(each, context.directory()), script));
        this.slots = steps.map(each -> OptionalInt.of(each.slots())).orElseGet(OptionalInt::empty);
        this.batch = BatchBackend.open(
                new SlurmQueue(slurm, script, steps, context.sessionId()),
                new BatchBackend.Terms(
                        SlurmBackendProvider.SHOWN, SlurmBackendProvider.CAPABILITIES, callerHost, site.pollInterval()),
                host,
                context);
        if (host.files().isHere()) {
            context.environment()
                    .variable(Allocation.JOB_ID)
                    .ifPresent(job -> batch.folder().note(Remains.JOB_FILE, job + " " + slurm.clusterName()));
        }
    }

    /** As sbatch does: the user's profile says where jobs go. */
    private Optional<String> clusterOfVariables() {
        if (!host.files().isHere()) {
            String name = host.commands()
                    .run(Commands.Command.of(VARIABLES_LIMIT, List.of("printenv", SBATCH_CLUSTERS)))
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

    private Optional<Steps> steps(Steps.Srun srun, JobScript script) {
        Optional<Allocation> found = Allocation.of(context.environment(), slurm::details);
        Allocation.inWords(context.environment(), found)
                .ifPresent(
                        text -> System.getLogger(SlurmBackend.class.getName()).log(Level.INFO, text));
        return found.map(allocation -> new Steps(allocation, srun, slurm, script));
    }

    @Override
    public CallerHost callerHost() {
        return batch.callerHost();
    }

    @Override
    public OptionalInt slots() {
        return slots;
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        List<Job> started = batch.submit(submission, listener);
        if (DetachedRuns.isOne(submission.spec())) {
            Job job = started.get(0);
            note = new DetachedNote(
                            job.id(),
                            Instant.now(),
                            batch.folder().path().resolve("job-0"),
                            DetachedQueue.labelsOf(
                                    context.sessionId(),
                                    job.name(),
                                    submission.spec().labels()),
                            slurm.clusterName(),
                            "",
                            0)
                    .text();
        }
        return started;
    }

    @Override
    public Optional<String> preview(Submission submission) {
        return batch.preview(submission);
    }

    @Override
    public Optional<DetachedJobs> detachedJobs() {
        return Optional.of(detached);
    }

    private boolean handOver() {
        if (!note.isEmpty()) {
            batch.folder().note(DetachedNote.FILE, note);
        }
        batch.handOver();
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
    public void close() {
        batch.close();
    }
}
