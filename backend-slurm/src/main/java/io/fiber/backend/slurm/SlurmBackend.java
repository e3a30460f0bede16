// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Jobs as elements of Slurm's job arrays: one sbatch for each submission, one squeue for all that is watched. */
final class SlurmBackend implements Backend {

    private static final Duration CLOSE_GRACE = Duration.ofSeconds(2);
    private static final long CLOSE_LIMIT_NS = TimeUnit.SECONDS.toNanos(6);

    private final BackendContext context;
    private final Login login;
    private final CallerHost callerHost;
    private final Slurm slurm;
    private final SharedFolder folder;
    private final JobScript script;
    private final Watch watch;
    private final Reaper.Registration folderRemoval;

    /** Held for reading by submissions, for writing by close, so that none slips in behind it. */
    private final ReadWriteLock opening = new ReentrantReadWriteLock();

    private boolean closed;

    SlurmBackend(BackendContext context, Login login, SiteOptions site) {
        this.context = requireNonNull(context, "context");
        this.login = login;
        this.slurm = new Slurm(login.commands());
        this.callerHost = MasterAddress.find(site, slurm);
        this.folder = SharedFolder.create(
                login.files(), SiteOptions.directory(context.options(), login.home()), context.sessionId());
        this.folderRemoval = atDeath(List.of("rm", "-rf", folder.path().toString()));
        this.script = new JobScript(site, context.sessionId(), Path.of("").toAbsolutePath());
        this.watch = new Watch(slurm, folder, site.pollInterval());
    }

    private Reaper.Registration atDeath(List<String> words) {
        return context.reaper().onDeath(login.atDeath().apply(words));
    }

    @Override
    public CallerHost callerHost() {
        return callerHost;
    }

    @Override
    public List<Job> submit(Submission submission, JobListener listener) {
        requireNonNull(listener, "listener");
        refuseWhatIsNotOffered(submission);
        opening.readLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("The backend 'slurm' is closed; it takes no more jobs.");
            }
            return start(submission, listener);
        } finally {
            opening.readLock().unlock();
        }
    }

    private List<Job> start(Submission submission, JobListener listener) {
        SharedFolder.Part part = folder.part(submission.instances().stream()
                .map(Submission.Instance::bootstrap)
                .toList());
        Reaper.Registration cancel = atDeath(cancelCommand(part.jobName()));
        boolean taken = false;
        try {
            String text = script.render(submission, part);
            part.keep(text);
            String array = slurm.submit(text, part.jobName());
            taken = true;
            List<SlurmJob> jobs = jobs(submission, part, array, new LastJob(submission, listener, cancel));
            watch.add(jobs);
            return List.copyOf(jobs);
        } finally {
            if (!taken) {
                // Whatever Slurm may have taken nevertheless finds no folder, and so runs nothing.
                part.remove();
                cancel.cancel();
            }
        }
    }

    /** Ends what still waits or runs, as soon as the controller answers. */
    private static List<String> cancelCommand(String jobName) {
        String script = "for attempt in 1 2 3 4 5 6; do scancel --name=\"$1\" && exit; sleep 5; done";
        return List.of("/bin/sh", "-c", script, "fiber-slurm", jobName);
    }

    private List<SlurmJob> jobs(Submission submission, SharedFolder.Part part, String array, JobListener listener) {
        List<SlurmJob> jobs = new ArrayList<>();
        for (int i = 0; i < submission.instances().size(); i++) {
            String name = submission.instances().get(i).name();
            jobs.add(new SlurmJob(
                    name,
                    new SlurmJob.Place(part, i, array),
                    listener,
                    text(submission.spec().output(), name, part, i),
                    watch));
        }
        return jobs;
    }

    private static JobText text(JobOutput output, String name, SharedFolder.Part part, int index) {
        if (output instanceof JobOutput.Console) {
            return new ConsoleText(part.files(), part.output(index), part.errors(index));
        }
        return FileText.behind(
                part.files(),
                output instanceof JobOutput.Files files
                        ? files.directory().toAbsolutePath().resolve(name + ".log")
                        : part.output(index));
    }

    /** Takes back the reaper's order when the last job of a submission has ended. */
    private static final class LastJob implements JobListener {
        private final JobListener listener;
        private final Reaper.Registration registration;
        private final AtomicInteger left;

        LastJob(Submission submission, JobListener listener, Reaper.Registration registration) {
            this.listener = listener;
            this.registration = registration;
            this.left = new AtomicInteger(submission.instances().size());
        }

        @Override
        public void onEvent(io.fiber.spi.backend.JobEvent event) {
            if (event instanceof io.fiber.spi.backend.JobEvent.Ended && left.decrementAndGet() == 0) {
                registration.cancel();
            }
            listener.onEvent(event);
        }
    }

    private static void refuseWhatIsNotOffered(Submission submission) {
        JobSpec spec = submission.spec();
        String name = submission.instances().get(0).name();
        spec.image().ifPresent(image -> {
            throw notOffered(name, Capability.IMAGE, "image=" + image);
        });
        if (!spec.volumes().isEmpty()) {
            throw notOffered(name, Capability.VOLUMES, "volumes=" + spec.volumes());
        }
    }

    private static JobRejectedException notOffered(String name, Capability capability, String value) {
        return new JobRejectedException("FBR-106 Process '" + name + "' needs " + capability + " (" + value
                + "); backend 'slurm' does not offer it. Leave it out, or choose a backend that offers " + capability
                + ".");
    }

    @Override
    public void close() {
        opening.writeLock().lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
        } finally {
            opening.writeLock().unlock();
        }
        watch.cancelAll(CLOSE_GRACE);
        try {
            if (!watch.awaitEnds(System.nanoTime() + CLOSE_LIMIT_NS)) {
                throw new BackendException("Slurm has not ended all jobs in time.");
            }
        } catch (BackendException e) {
            System.getLogger(SlurmBackend.class.getName())
                    .log(
                            System.Logger.Level.WARNING,
                            "Slurm did not confirm in time that all jobs of session " + context.sessionId()
                                    + " have ended; what still runs ends itself, because the session's folder is gone.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            watch.close();
            folder.remove();
            folderRemoval.cancel();
        }
    }
}
