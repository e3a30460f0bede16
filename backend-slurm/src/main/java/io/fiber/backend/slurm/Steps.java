// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.Place;
import io.fiber.backend.support.batch.Scheduler;
import io.fiber.backend.support.batch.Scheduler.Ending;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spi.backend.BackendUnavailableException;
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
final class Steps implements Scheduler, Place {

    private final Allocation allocation;
    private final Srun srun;
    private final Slurm slurm;
    private final JobScript script;
    private final Map<String, StepRun> runs = new ConcurrentHashMap<>();
    private volatile Runnable askNow = () -> {};
    private int freeTasks;
    private boolean allocationEnded;
    private boolean toldOfWait;

    Steps(Allocation allocation, Srun srun, Slurm slurm, JobScript script) {
        this.allocation = allocation;
        this.srun = srun;
        this.slurm = slurm;
        this.script = script;
        this.freeTasks = allocation.tasks();
    }

    /** Returns how many tasks the allocation has for workers. */
    int slots() {
        return allocation.tasks();
    }

    /** Takes room for as many of {@code count} jobs as fit, and returns that number. */
    @Override
    public synchronized int reserve(JobSpec spec, int count) {
        int tasks = sizeOf(spec).tasks;
        int fitting = allocationEnded ? 0 : Math.min(count, freeTasks / tasks);
        freeTasks -= fitting * tasks;
        return fitting;
    }

    @Override
    public synchronized void release(JobSpec spec, int count) {
        freeTasks += count * sizeOf(spec).tasks;
    }

    /**
     * Gives a job's room back, for a replacement that takes its place. If srun could not make the step, others hold what was
     * counted as free, and replacements are jobs of their own.
     */
    @Override
    public void ended(JobSpec spec, String id) {
        StepRun run = runs.get(id);
        if (run != null && run.row(id).isRefused()) {
            forgetFreeRoom();
        } else {
            release(spec, 1);
        }
        forget(id);
    }

    private synchronized void forgetFreeRoom() {
        freeTasks = 0;
    }

    /** Returns the spec with the memory of a task, when neither the spec nor the site names another. */
    private JobSpec sized(JobSpec spec) {
        return allocation.withMemory(spec, script.site().memory().size());
    }

    private Size sizeOf(JobSpec spec) {
        JobSpec sized = sized(spec);
        long memoryMib = script.memoryMib(sized);
        List<String> gres = script.site().gres(sized);
        return new Size(allocation.tasksOf(sized, memoryMib, gres), memoryMib, gres);
    }

    @Override
    public String script(Submission submission, SharedFolder.Part part) {
        return script.renderSteps(new Submission(sized(submission.spec()), submission.instances()), part);
    }

    /**
     * Starts a step for each instance.
     *
     * @throws BackendUnavailableException when srun cannot be run, or the controller does not answer; then no step of them is left
     */
    @Override
    public List<String> submit(String text, Submission submission, SharedFolder.Part part) {
        // Of a controller that does not answer srun would tell late, and as the end of a job.
        slurm.steps(allocation.jobId());
        Optional<Duration> limit =
                submission.spec().timeLimit().map(time -> Duration.ofMinutes(JobScript.minutes(time)));
        List<String> started = new ArrayList<>();
        try {
            for (List<String> words : lines(submission, part)) {
                String id = allocation.jobId() + "." + stepName(part.jobName(), started.size());
                StepRun run = srun.start(words, limit);
                runs.put(id, run);
                started.add(id);
                run.whenEnded(askNow);
            }
            return started;
        } catch (IOException e) {
            endByForce(started);
            started.forEach(this::forget);
            throw new BackendUnavailableException(
                    "FBR-136 A step of job " + allocation.jobId() + " cannot be started: " + e
                            + ". Set fiber.slurm.steps=false to have workers as new jobs.",
                    e);
        }
    }

    @Override
    public String preview(String text, Submission submission, SharedFolder.Part part) {
        return Preview.steps(text, part, lines(submission, part));
    }

    /** Returns the words of each srun of a submission. */
    private List<List<String>> lines(Submission submission, SharedFolder.Part part) {
        Size size = sizeOf(submission.spec());
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

    /** It is known at once when a srun has ended. */
    @Override
    public void whenEnded(Runnable askNow) {
        this.askNow = askNow;
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

    private void endByForce(Collection<String> ids) {
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

    /**
     * What one job takes up.
     *
     * @param tasks of the allocation
     * @param memoryMib that its step is given
     * @param gres generic resources that its step is given, as srun has them
     */
    private record Size(int tasks, long memoryMib, List<String> gres) {}

    /** Starts srun, which goes on. */
    interface Starter {
        /** Starts a program that writes nothing but complaints, to this file. */
        Process start(List<String> words, Path errors) throws IOException;
    }

    /**
     * The program srun.
     *
     * @param scratch a directory for what it complains of
     */
    record Srun(Starter starter, Path scratch) {
        StepRun start(List<String> words, Optional<Duration> limit) throws IOException {
            Path errors = Files.createTempFile(scratch, "srun", ".err");
            return new StepRun(starter.start(words, errors), errors, limit, System::nanoTime);
        }
    }
}
