// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.pbs;

import io.fiber.backend.support.ContainedProgram;
import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.BatchSystem;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.Commands.Answer;
import io.fiber.backend.support.batch.Commands.Command;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** PBS by its programs. */
final class Pbs implements BatchSystem {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Pattern ARRAY = Pattern.compile("(?m)^(\\d+)\\[](\\S*)$");
    private static final Pattern UNREACHABLE = Pattern.compile("(?i)cannot connect|connection refused|timed out");
    private static final Pattern FIELD = Pattern.compile("(?m)^\\s+(\\w+) = (.*)$");
    private static final int OVER_MEMORY = -10;
    private static final int OVER_TIME = -11;
    private static final int SIGNAL_BASE = 256;

    private final Commands commands;
    private final Optional<String> queue;

    Pbs(Commands commands, Optional<String> queue) {
        this.commands = commands;
        this.queue = queue;
    }

    @Override
    public String script(Submission submission, SharedFolder.Part part) {
        JobSpec spec = submission.spec();
        List<String> lines = new ArrayList<>(List.of(
                "#PBS -N " + part.jobName(),
                "#PBS -S /bin/bash",
                "#PBS -t 0-" + (submission.instances().size() - 1),
                "#PBS -r n",
                "#PBS -o /dev/null",
                "#PBS -e /dev/null"));
        queue.ifPresent(name -> lines.add("#PBS -q " + name));
        spec.resources().cpus().ifPresent(cpus -> lines.add("#PBS -l nodes=1:ppn=" + (int) Math.ceil(cpus)));
        ContainedProgram.of(spec, OptionalLong.empty())
                .limitBytes(0)
                .ifPresent(bytes -> lines.add("#PBS -l mem=" + (bytes >> 20) + "mb"));
        spec.timeLimit().ifPresent(limit -> lines.add("#PBS -l walltime=" + Math.max(1, limit.toSeconds())));
        return BatchScript.of(submission, part)
                .directives(lines)
                .index("$PBS_ARRAYID")
                .render();
    }

    @Override
    public List<String> submit(String script, Submission submission, SharedFolder.Part part) {
        Answer answer = commands.run(new Command(List.of("qsub"), script, LIMIT));
        Matcher id = ARRAY.matcher(answer.output());
        if (answer.isGood() && id.find()) {
            return IntStream.range(0, submission.instances().size())
                    .mapToObj(index -> id.group(1) + "[" + index + "]" + id.group(2))
                    .toList();
        }
        checkReached("qsub", answer);
        throw new JobRejectedException("FBR-131 PBS refused the job: " + answer.complaint() + ". Nothing was started.");
    }

    private static void checkReached(String program, Answer answer) {
        if (!answer.isGood() && UNREACHABLE.matcher(answer.errors()).find()) {
            throw unavailable(program, answer);
        }
    }

    private static BackendUnavailableException unavailable(String program, Answer answer) {
        return new BackendUnavailableException("FBR-130 PBS does not answer: " + program + " ended with "
                + answer.exitCode() + ": " + answer.complaint() + ". Running jobs go on.");
    }

    /** Ids that PBS does not know are the only fault of qstat that says something of jobs. */
    @Override
    public Map<String, BatchState> states(Collection<String> ids) {
        Answer answer = commands.runWith(Command.of(LIMIT, List.of("qstat", "-f")), ids);
        boolean isUnderstood =
                !answer.errors().isBlank() && answer.errors().lines().allMatch(line -> line.contains("Unknown Job Id"));
        if (!answer.isGood() && !isUnderstood) {
            throw unavailable("qstat", answer);
        }
        Map<String, BatchState> states = new TreeMap<>();
        for (String block : answer.output().split("(?m)^Job Id: ")) {
            String id = block.lines().findFirst().orElse("").strip();
            Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            FIELD.matcher(block).results().forEach(field -> fields.put(field.group(1), field.group(2)));
            states.put(id, state(fields));
        }
        return states;
    }

    private static BatchState state(Map<String, String> fields) {
        return switch (fields.getOrDefault("job_state", "")) {
            case "Q", "H", "W" -> new BatchState.Waiting(fields.getOrDefault("comment", ""));
            case "R" -> new BatchState.Running(fields.getOrDefault("exec_host", "unknown"));
            case "C", "F", "X" -> ended(Integer.parseInt(fields.getOrDefault("exit_status", "0")));
            default -> new BatchState.Changing();
        };
    }

    private static BatchState ended(int status) {
        if (status >= 0) {
            return BatchState.Ended.withCode(status >= SIGNAL_BASE ? status - SIGNAL_BASE + 128 : status);
        }
        return switch (status) {
            case OVER_MEMORY ->
                BatchState.Ended.because(EndCause.OUT_OF_MEMORY, "It used more memory than it asked for.");
            case OVER_TIME -> BatchState.Ended.because(EndCause.TIME_LIMIT, "It ran longer than its walltime.");
            default ->
                BatchState.Ended.because(EndCause.START_FAILED, "PBS could not start it (exit_status " + status + ").");
        };
    }

    /** What does not run yet takes no signal: it is deleted. */
    @Override
    public void end(Collection<String> ids, Ending ending) {
        String signal = ending == Ending.ASKED ? "TERM" : "KILL";
        Answer answer = commands.runWith(Command.of(LIMIT, List.of("qsig", "-s", signal)), ids);
        checkReached("qsig", answer);
        List<String> waiting = ids.stream()
                .filter(id -> answer.errors()
                        .lines()
                        .anyMatch(line -> line.contains("invalid for state") && line.contains(id)))
                .toList();
        if (!waiting.isEmpty()) {
            checkReached("qdel", commands.runWith(Command.of(LIMIT, List.of("qdel")), waiting));
        }
    }

    @Override
    public List<String> endCommand(Collection<String> ids) {
        List<String> words = new ArrayList<>(List.of("qdel"));
        words.addAll(ids);
        return words;
    }
}
