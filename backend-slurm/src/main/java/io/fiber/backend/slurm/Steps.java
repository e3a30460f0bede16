// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.Scheduler;
import io.fiber.backend.support.batch.Scheduler.Ending;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Jobs as steps of the allocation that this process runs in: one srun for each, at once and without a queue. It knows
 * how many tasks are free, and stands in front of Slurm for those who watch. Thread-safe.
 */
final class Steps implements Scheduler {

    /** Starts srun, which goes on. */
    interface Starter {
        /** Starts a program that writes nothing but complaints, to this file. */
        Process start(List<String> words, Path errors) throws IOException;
    }

    private final Allocation allocation;
    private final Starter starter;
    private final Slurm slurm;
    private final Path scratch;
    private final Map<String, StepRun> runs = new ConcurrentHashMap<>();
    private int freeTasks;
    private boolean allocationEnded;
    private boolean toldOfWait;

    Steps(Allocation allocation, Starter starter, Slurm slurm, Path scratch) {
        this.allocation = allocation;
        this.starter = starter;
        this.slurm = slurm;
        this.scratch = scratch;
        this.freeTasks = allocation.tasks();
    }

    /**
     * What one job takes up.
     *
     * @param tasks of the allocation
     * @param memoryMib that its step is given
     * @param gres generic resources that its step is given, as srun has them
     */
    record Size(int tasks, long memoryMib, List<String> gres) {}

    /** Returns how many tasks the allocation has for workers. */
    int slots() {
        return allocation.tasks();
    }

    /** Returns the spec with the memory of a task, when neither the spec nor the site names another. */
    JobSpec sized(JobSpec spec, SiteOptions site) {
        return allocation.withMemory(spec, site.memory().size());
    }

    Size sizeOf(JobSpec spec, JobScript script) {
        long memoryMib = script.memoryMib(spec);
        List<String> gres = script.site().gres(spec);
        return new Size(allocation.tasksOf(spec, memoryMib, gres), memoryMib, gres);
    }

    /** Returns how many of {@code count} jobs there is room for now. */
    synchronized int fitting(int count, Size size) {
        return allocationEnded ? 0 : Math.min(count, freeTasks / size.tasks);
    }

    /** Takes room for as many of {@code count} jobs as fit, and returns that number. */
    synchronized int reserve(int count, Size size) {
        int fitting = fitting(count, size);
        freeTasks -= fitting * size.tasks;
        return fitting;
    }

    /** Gives room back. */
    synchronized void release(Size size, int count) {
        freeTasks += count * size.tasks;
    }

    /**
     * Gives a job's room back when it has ended, before the listener learns of it: a replacement takes its place. If srun could
     * not make the step, others hold what was counted as free, and replacements are jobs of their own.
     */
    JobListener releasing(Size size, JobListener listener) {
        return event -> {
            if (event instanceof JobEvent.Ended) {
                String id = event.job().id();
                StepRun run = runs.get(id);
                if (run != null && run.row(id).isRefused()) {
                    forgetFreeRoom();
                } else {
                    release(size, 1);
                }
                forget(id);
            }
            listener.onEvent(event);
        };
    }

    private synchronized void forgetFreeRoom() {
        freeTasks = 0;
    }

    /** Returns the ids of steps that are started together; no array of Slurm has such. */
    List<String> ids(SharedFolder.Part part, int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> allocation.jobId() + "." + stepName(part.jobName(), index))
                .toList();
    }

    /**
     * Starts a step for each instance.
     *
     * @param onEnd is run when srun has ended, by any thread
     * @throws BackendUnavailableException when srun cannot be run, or the controller does not answer; then no step of them is left
     */
    void start(Submission submission, SharedFolder.Part part, Size size, Runnable onEnd) {
        // Of a controller that does not answer srun would tell late, and as the end of a job.
        slurm.steps(allocation.jobId());
        Optional<Duration> limit =
                submission.spec().timeLimit().map(time -> Duration.ofMinutes(JobScript.minutes(time)));
        List<String> started = new ArrayList<>();
        try {
            List<String> ids = ids(part, submission.instances().size());
            for (int i = 0; i < ids.size(); i++) {
                String id = ids.get(i);
                Path errors = Files.createTempFile(scratch, "srun", ".err");
                List<String> words = words(submission.spec(), part, i, size);
                StepRun run = new StepRun(starter.start(words, errors), errors, limit, System::nanoTime);
                runs.put(id, run);
                started.add(id);
                run.whenEnded(onEnd);
            }
        } catch (IOException e) {
            endByForce(started);
            started.forEach(this::forget);
            throw new BackendUnavailableException(
                    "FBR-136 A step of job " + allocation.jobId() + " cannot be started: " + e
                            + ". Set fiber.slurm.steps=false to have workers as new jobs.",
                    e);
        }
    }

    /** Returns the words of each srun of a submission. */
    List<List<String>> lines(Submission submission, SharedFolder.Part part, Size size) {
        return IntStream.range(0, submission.instances().size())
                .mapToObj(index -> words(submission.spec(), part, index, size))
                .toList();
    }

    private List<String> words(JobSpec spec, SharedFolder.Part part, int index, Size size) {
        List<String> words = new ArrayList<>(List.of("srun", "--jobid=" + allocation.jobId()));
        words.add("--job-name=" + stepName(part.jobName(), index));
        words.addAll(List.of("--nodes=1", "--ntasks=1", "--cpus-per-task=" + JobScript.cpus(spec.resources())));
        words.addAll(List.of("--exact", "--kill-on-bad-exit=0", "--input=none", "--open-mode=append"));
        words.add(JobScript.NO_LIMITS);
        if (allocation.taskMib() > 0) {
            words.add("--mem=" + size.memoryMib + "M");
        }
        if (allocation.given().hasGres()) {
            // A step that does not say takes all of its node's, and keeps all others away.
            words.add("--gres=" + (size.gres.isEmpty() ? "none" : String.join(",", size.gres)));
        }
        spec.timeLimit().ifPresent(limit -> words.add("--time=" + JobScript.minutes(limit)));
        words.add("--chdir=" + part.path());
        words.add("--output=" + part.output(index).toString().replace("%", "%%"));
        if (spec.output() instanceof JobOutput.Console) {
            words.add("--error=" + part.errors(index).toString().replace("%", "%%"));
        }
        words.addAll(List.of("/bin/bash", part.script().toString(), String.valueOf(index)));
        return words;
    }

    private static String stepName(String jobName, int index) {
        return jobName + "_" + index;
    }

    private void forget(String id) {
        StepRun run = runs.remove(id);
        if (run != null) {
            run.leave();
        }
    }

    /** A step is known as long as its srun is. */
    @Override
    public Map<String, BatchState> states(Collection<String> ids) {
        lookForRoom();
        Map<String, BatchState> states = new TreeMap<>();
        runs.forEach((id, run) -> states.put(id, noted(run.row(id)).meaning()));
        List<String> elements = elements(ids);
        if (!elements.isEmpty()) {
            states.putAll(slurm.states(elements));
        }
        return states;
    }

    /** A program in a shell of salloc may live longer than the allocation. */
    private synchronized QueueRow noted(QueueRow row) {
        allocationEnded |= row.state().equals(QueueRow.ALLOCATION_ENDED);
        if (!toldOfWait && row.reason().equals(QueueRow.STEPS_BUSY)) {
            toldOfWait = true;
            System.getLogger(Steps.class.getName())
                    .log(
                            System.Logger.Level.INFO,
                            "A worker waits for room in job " + allocation.jobId() + " (" + QueueRow.STEPS_BUSY + "): "
                                    + Advice.onWaiting(QueueRow.STEPS_BUSY) + ". After "
                                    + StepRun.WAIT_LIMIT.toSeconds()
                                    + " s it is given up, and further workers become jobs of their own.");
        }
        return row;
    }

    /** A srun that finds no room waits without a word: the job's steps are listed, and do not include its own. */
    private void lookForRoom() {
        List<String> doubtful = runs.entrySet().stream()
                .filter(run -> run.getValue().isInDoubt())
                .map(Map.Entry::getKey)
                .toList();
        if (doubtful.isEmpty()) {
            return;
        }
        Collection<String> listed = slurm.steps(allocation.jobId()).values();
        for (String id : doubtful) {
            StepRun run = runs.get(id);
            if (run != null) {
                run.listed(listed.contains(id.substring(id.indexOf('.') + 1)));
            }
        }
    }

    /** Returns the ids of what is no step. */
    private static List<String> elements(Collection<String> ids) {
        return ids.stream().filter(id -> !isStep(id)).toList();
    }

    private static boolean isStep(String id) {
        return id.indexOf('.') > 0;
    }

    @Override
    public void end(Collection<String> ids, Ending ending) {
        if (ending == Ending.ASKED) {
            endPolitely(ids);
        } else {
            endByForce(ids);
        }
    }

    @Override
    public boolean isEndNotice(String line) {
        return slurm.isEndNotice(line);
    }

    private void endPolitely(Collection<String> ids) {
        List<String> elements = elements(ids);
        Set<String> steps = new HashSet<>(ids);
        elements.forEach(steps::remove);
        if (!steps.isEmpty()) {
            List<String> running = slurm.steps(allocation.jobId()).entrySet().stream()
                    .filter(step -> steps.remove(allocation.jobId() + "." + step.getValue()))
                    .map(Map.Entry::getKey)
                    .toList();
            // What has no number yet has begun nothing.
            endByForce(steps);
            if (!running.isEmpty()) {
                slurm.endStepsPolitely(running);
            }
        }
        if (!elements.isEmpty()) {
            slurm.end(elements, Ending.ASKED);
        }
    }

    /** Ends jobs at once. */
    void endByForce(Collection<String> ids) {
        for (String id : ids) {
            StepRun run = runs.get(id);
            if (run != null) {
                run.kill();
            }
        }
        List<String> elements = elements(ids);
        if (!elements.isEmpty()) {
            slurm.end(elements, Ending.FORCED);
        }
    }
}
