// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.batch.BatchJob;
import io.fiber.backend.support.batch.LastEnd;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.backend.support.batch.Watch;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Puts submissions where they run: as steps into the allocation around this process while there is room, the others into
 * Slurm's queue, as arrays no longer than Slurm takes. Thread-safe; blocks.
 */
final class Launcher {

    private final Tools tools;
    private final Optional<Steps> steps;
    private final Watch watch;

    /**
     * What a submission is made with.
     *
     * @param atDeath registers a command that is run when this process has died
     * @param longestArray how many elements Slurm takes in one array; 0 where it takes none, and each job is submitted alone
     * @param remote puts files of this host where nodes see them, when Slurm is used from another
     */
    record Tools(
            SharedFolder folder,
            JobScript script,
            Slurm slurm,
            Function<List<String>, Reaper.Registration> atDeath,
            int longestArray,
            Optional<SshLogin> remote) {}

    /** One group of jobs that was started together; {@code undo} leaves none of them. */
    private record Group(List<BatchJob> jobs, Runnable undo) {}

    Launcher(Tools tools, Optional<Steps> steps, Watch watch) {
        this.tools = tools;
        this.steps = steps;
        this.watch = watch;
    }

    /** Starts a job for each instance; when it throws, there is none. */
    List<BatchJob> launch(Submission submission, JobListener listener) {
        List<Group> groups = new ArrayList<>();
        try {
            int count = submission.instances().size();
            int begun = 0;
            Optional<Steps> inside = stepsFor(submission);
            if (inside.isPresent()) {
                begun = launchInside(inside.get(), submission, listener, groups);
            }
            while (begun < count) {
                int end = Math.min(count, begun + Math.max(1, tools.longestArray));
                groups.add(array(part(submission, begun, end), listener));
                begun = end;
            }
            List<BatchJob> jobs =
                    groups.stream().flatMap(group -> group.jobs.stream()).toList();
            watch.add(jobs);
            return jobs;
        } catch (RuntimeException | Error e) {
            groups.forEach(group -> group.undo.run());
            throw e;
        }
    }

    /** Returns what {@link #launch} would have a shell do, if it were called next; starts and writes nothing. */
    String preview(Submission submission) {
        int count = submission.instances().size();
        int begun = 0;
        int number = 0;
        StringBuilder text = new StringBuilder();
        Optional<Steps> around = stepsFor(submission);
        if (around.isPresent()) {
            Steps inside = around.get();
            JobSpec spec = inside.sized(submission.spec(), tools.script.site());
            Steps.Size size = inside.sizeOf(spec, tools.script);
            begun = inside.fitting(count, size);
            if (begun > 0) {
                Submission first = new Submission(spec, submission.instances().subList(0, begun));
                SharedFolder.Part part = tools.folder.partAfter(number++);
                text.append(
                        Preview.steps(tools.script.renderSteps(first, part), part, inside.lines(first, part, size)));
            }
        }
        JobSpec spec =
                tools.remote.map(remote -> remote.asStaged(submission.spec())).orElse(submission.spec());
        while (begun < count) {
            int end = Math.min(count, begun + Math.max(1, tools.longestArray));
            Submission next = new Submission(spec, submission.instances().subList(begun, end));
            text.append(Preview.array(
                    tools.slurm.sbatch(),
                    SiteOptions.words(spec, tools.script.badNodes()),
                    tools.script.render(next, tools.folder.partAfter(number++))));
            begun = end;
        }
        return text.toString();
    }

    /** What has options of its own is no part of a job that was submitted with others, nor is what outlives that job. */
    private Optional<Steps> stepsFor(Submission submission) {
        return steps.filter(each -> submission.spec().options().isEmpty() && !DetachedRuns.isOne(submission.spec()));
    }

    private static Submission part(Submission submission, int from, int to) {
        return new Submission(submission.spec(), submission.instances().subList(from, to));
    }

    /** Returns how many there was room for. */
    private int launchInside(Steps inside, Submission submission, JobListener listener, List<Group> groups) {
        JobSpec spec = inside.sized(submission.spec(), tools.script.site());
        Steps.Size size = inside.sizeOf(spec, tools.script);
        int fitting = inside.reserve(submission.instances().size(), size);
        if (fitting > 0) {
            Submission first = new Submission(spec, submission.instances().subList(0, fitting));
            groups.add(inside(inside, first, size, listener));
        }
        return fitting;
    }

    private Group inside(Steps inside, Submission submission, Steps.Size size, JobListener listener) {
        SharedFolder.Part part = tools.folder.part(submission);
        try {
            part.keep(tools.script.renderSteps(submission, part));
            inside.start(submission, part, size, watch::askNow);
        } catch (RuntimeException | Error e) {
            part.remove();
            inside.release(size, submission.instances().size());
            throw e;
        }
        List<String> ids = inside.ids(part, submission.instances().size());
        List<BatchJob> jobs = watch.jobs(submission, part, ids, inside.releasing(size, listener));
        return new Group(jobs, () -> {
            part.remove();
            inside.endByForce(ids);
            inside.release(size, jobs.size());
        });
    }

    private Group array(Submission submission, JobListener listener) {
        JobSpec spec =
                tools.remote.map(remote -> remote.staged(submission.spec())).orElse(submission.spec());
        SharedFolder.Part part = tools.folder.part(submission);
        Reaper.Registration cancel = tools.atDeath.apply(tools.slurm.cancelCommand(part.jobName()));
        try {
            String array = submit(new Submission(spec, submission.instances()), part);
            List<String> ids = tools.script.isArray()
                    ? IntStream.range(0, submission.instances().size())
                            .mapToObj(index -> array + "_" + index)
                            .toList()
                    : List.of(array);
            List<BatchJob> jobs = watch.jobs(submission, part, ids, new LastEnd(submission, listener, cancel));
            return new Group(jobs, () -> {
                part.remove();
                cancel.cancel();
                watch.endLater(List.of(array));
            });
        } catch (RuntimeException | Error e) {
            // Whatever Slurm may have taken nevertheless finds no folder, and so runs nothing.
            if (part.remove()) {
                cancel.cancel();
            }
            throw e;
        }
    }

    private String submit(Submission submission, SharedFolder.Part part) {
        String text = tools.script.render(submission, part);
        part.keep(text);
        try {
            return tools.slurm.submit(
                    text, part.jobName(), SiteOptions.words(submission.spec(), tools.script.badNodes()));
        } catch (JobRejectedException e) {
            // Perhaps for want of the nodes that are left out.
            if (e instanceof TooManyJobsException || !tools.slurm.badNodes().forget()) {
                throw e;
            }
            return submit(submission, part);
        }
    }
}
