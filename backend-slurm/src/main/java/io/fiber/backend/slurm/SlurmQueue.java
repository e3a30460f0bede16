// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.BatchSystem;
import io.fiber.backend.support.batch.Place;
import io.fiber.backend.support.batch.Scheduler;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Slurm's queue, which takes jobs as arrays no longer than Slurm allows, and in front of it the allocation around this
 * process, if there is one. Thread-safe; blocks.
 */
final class SlurmQueue implements BatchSystem {

    private final Slurm slurm;
    private final JobScript script;
    private final Optional<Steps> steps;
    private final String sessionId;

    SlurmQueue(Slurm slurm, JobScript script, Optional<Steps> steps, String sessionId) {
        this.slurm = slurm;
        this.script = script;
        this.steps = steps;
        this.sessionId = sessionId;
    }

    /** Jobs with options of their own are not steps of a job that was submitted with others, nor are jobs that outlive that job. */
    @Override
    public List<Place> places(JobSpec spec) {
        return steps.filter(inside -> spec.options().isEmpty() && !DetachedRuns.isOne(spec))
                .map(inside -> List.<Place>of(inside, this))
                .orElse(List.of(this));
    }

    /** Where there are no arrays, each job is submitted alone. */
    @Override
    public int mostJobs() {
        return Math.max(1, slurm.longestArray());
    }

    @Override
    public String script(Submission submission, SharedFolder.Part part) {
        return script.render(submission, part);
    }

    @Override
    public List<String> submit(String text, Submission submission, SharedFolder.Part part) {
        String array;
        try {
            array = slurm.submit(text, part.jobName(), SiteOptions.words(submission.spec(), script.badNodes()));
        } catch (JobRejectedException e) {
            // Perhaps because of the nodes that are left out.
            if (e instanceof TooManyJobsException || !script.badNodes().forget()) {
                throw e;
            }
            String again = script(submission, part);
            part.keep(again);
            return submit(again, submission, part);
        }
        return script.isArray()
                ? IntStream.range(0, submission.instances().size())
                        .mapToObj(index -> array + "_" + index)
                        .toList()
                : List.of(array);
    }

    @Override
    public String preview(String text, Submission submission, SharedFolder.Part part) {
        return Preview.array(slurm.sbatch(), SiteOptions.words(submission.spec(), script.badNodes()), text);
    }

    @Override
    public List<String> endSessionCommand() {
        return slurm.cancelCommand(sessionId);
    }

    private Scheduler scheduler() {
        return steps.<Scheduler>map(inside -> inside).orElse(slurm);
    }

    @Override
    public Map<String, BatchState> states(Collection<String> ids) {
        return scheduler().states(ids);
    }

    @Override
    public void end(Collection<String> ids, Ending ending) {
        scheduler().end(ids, ending);
    }

    @Override
    public void whenEnded(Runnable askNow) {
        scheduler().whenEnded(askNow);
    }

    @Override
    public boolean isEndNotice(String line) {
        return slurm.isEndNotice(line);
    }
}
