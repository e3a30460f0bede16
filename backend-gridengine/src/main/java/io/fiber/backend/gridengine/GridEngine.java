// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import static java.util.stream.Collectors.toCollection;

import io.fiber.backend.support.ContainedProgram;
import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.BatchState;
import io.fiber.backend.support.batch.BatchState.Ended;
import io.fiber.backend.support.batch.BatchState.OwnCode;
import io.fiber.backend.support.batch.BatchSystem;
import io.fiber.backend.support.batch.Commands;
import io.fiber.backend.support.batch.Commands.Answer;
import io.fiber.backend.support.batch.Commands.Command;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spec.EndCause;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.TooManyJobsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Grid Engine by its programs. The id of a job is {@code <job>.<task>}; tasks count from 1. */
final class GridEngine implements BatchSystem {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    /**
     * Twice the usual flush_time of reporting_params (sge_conf(5)): until then qacct may not know a job that has ended. A
     * longer time would delay the report of a lost job where this host does not see the records.
     */
    private static final Duration RECORDS = Duration.ofSeconds(30);
    /**
     * What a JVM reserves beside its heap. h_vmem limits addresses, not memory. A worker on two processors has reserved 2.4
     * GiB (VmPeak), of which 1 GiB is for classes; each thread more reserves more. Where users pay for h_vmem, less would be cheaper, but
     * Aeron could not map its files with 2 GiB.
     */
    private static final long RESERVED_BYTES = 4L << 30;

    private static final Pattern ID = Pattern.compile("(?m)^(\\d+)\\.1-\\d+:1$");
    private static final Pattern UNREACHABLE = Pattern.compile("commlib error|unable to (send|contact|connect)");
    private static final Pattern TOO_MANY = Pattern.compile("more than \\d+ tasks|jobs? (are|is) allowed");
    private static final Pattern LISTED = Pattern.compile("(?s)<job_list.*?</job_list>");
    private static final Pattern ELEMENT = Pattern.compile("<(\\w+)>([^<]*)</\\1>");
    private static final Pattern RECORD = Pattern.compile("(?m)^={9,}$");
    private static final Pattern FIELD = Pattern.compile("(?m)^(\\w+) +(\\S.*?) *$");
    private static final Pattern ERROR = Pattern.compile("(?m)^error reason +\\d+: +(.*)$");

    /** Codes in the field "failed" (sge_status(5)). */
    private static final int OVER_LIMIT = 37;

    private static final int AFTER_JOB = 100;

    /** A name that matches no job is not an error: after an error, the command is repeated. */
    private static final String DELETE =
            "said=$(qdel \"$1\" 2>&1) || case $said in *' not exist'*) ;; *) exit 1 ;; esac";

    private final Commands commands;
    private final Options options;
    private final List<OptionKey> keys;
    private final String sessionId;

    GridEngine(Commands commands, Options options, List<OptionKey> keys, String sessionId) {
        this.commands = commands;
        this.options = options;
        this.keys = keys;
        this.sessionId = sessionId;
    }

    @Override
    public String script(Submission submission, SharedFolder.Part part) {
        JobSpec spec = submission.spec();
        Options own = options.with(spec.options(), keys);
        int slots = (int) Math.ceil(spec.resources().cpus().orElse(1));
        List<String> lines = new ArrayList<>(List.of(
                "-N " + part.jobName(),
                "-S /bin/bash",
                "-t 1-" + submission.instances().size(),
                "-r n"));
        lines.add("-o /dev/null -e /dev/null");
        // Grid Engine refuses at once what no host of the cluster could ever run.
        lines.add("-w e");
        own.text("queue").ifPresent(name -> lines.add("-q " + name));
        own.text("project").ifPresent(name -> lines.add("-P " + name));
        if (slots > 1) {
            lines.add("-pe " + own.text("parallel-environment").orElse("smp") + " " + slots);
        }
        memory(spec, own.text("memory").orElse("h_vmem"), slots).ifPresent(lines::add);
        spec.timeLimit()
                .or(() -> own.duration("time-limit"))
                .ifPresent(limit -> lines.add("-l h_rt=" + Math.max(1, limit.toSeconds())));
        own.text("qsub").ifPresent(words -> words.lines().forEach(lines::add));
        BatchScript script = BatchScript.of(submission, part)
                .directives(lines.stream().map("#$ "::concat).toList())
                .index("$((SGE_TASK_ID - 1))")
                .endRequest(BatchScript.EndRequest.FILE)
                .prologue(own.text("prologue").map(text -> text.strip() + "\n").orElse(""));
        own.text("java").ifPresent(script::java);
        return script.render();
    }

    /** A resource is requested for each slot. */
    private static Optional<String> memory(JobSpec spec, String resource, int slots) {
        OptionalLong bytes = ContainedProgram.of(spec, OptionalLong.empty()).limitBytes(0);
        if (bytes.isEmpty() || resource.equals("none")) {
            return Optional.empty();
        }
        boolean isOfAddresses = resource.endsWith("_vmem") && spec.program() instanceof Program.Java;
        long all = bytes.getAsLong() + (isOfAddresses ? RESERVED_BYTES : 0);
        return Optional.of("-l " + resource + "=" + ((all >> 10) + slots - 1) / slots + "K");
    }

    @Override
    public List<String> submit(String script, Submission submission, SharedFolder.Part part) {
        Answer answer = commands.run(new Command(List.of("qsub", "-terse"), script, LIMIT));
        Matcher id = ID.matcher(answer.output());
        if (answer.isGood() && id.find()) {
            return IntStream.rangeClosed(1, submission.instances().size())
                    .mapToObj(task -> id.group(1) + "." + task)
                    .toList();
        }
        requireReached("qsub", answer);
        String why = answer.complaint().replace(" / Exiting.", "");
        String refused = "FBR-131 Grid Engine refused the job: " + why + ". Nothing was started.";
        throw TOO_MANY.matcher(answer.errors()).find()
                ? new TooManyJobsException(refused)
                : new JobRejectedException(refused + " Compare fiber.gridengine.queue, project and parallel-environment"
                        + " with what 'qconf -sql', 'qconf -sprjl' and 'qconf -spl' list, or request less.");
    }

    private static void requireReached(String program, Answer answer) {
        if (!answer.isGood() && UNREACHABLE.matcher(answer.errors()).find()) {
            throw unavailable(program, answer);
        }
    }

    private static BackendUnavailableException unavailable(String program, Answer answer) {
        return new BackendUnavailableException("FBR-130 Grid Engine does not answer: " + program + " ended with "
                + answer.exitCode() + ": " + answer.complaint() + ". Running jobs go on.");
    }

    /** The server forgets a task when it ends; then only the records know it, and only a little later. */
    @Override
    public Map<String, BatchState> states(Collection<String> ids) {
        Map<String, BatchState> states = listed();
        Set<String> missing = new TreeSet<>(ids);
        missing.removeAll(states.keySet());
        for (String job : missing.stream().map(GridEngine::jobOf).collect(toCollection(TreeSet::new))) {
            recorded(job, states);
        }
        missing.forEach(id -> states.putIfAbsent(id, new BatchState.Missing(RECORDS)));
        return states;
    }

    private static String jobOf(String id) {
        return id.substring(0, id.indexOf('.'));
    }

    private Map<String, BatchState> listed() {
        String user = System.getProperty("user.name");
        Answer answer = commands.run(Command.of(LIMIT, List.of("qstat", "-u", user, "-g", "d", "-xml")));
        if (!answer.isGood()) {
            throw unavailable("qstat", answer);
        }
        Map<String, BatchState> states = new TreeMap<>();
        LISTED.matcher(answer.output()).results().forEach(job -> {
            Map<String, String> fields = new TreeMap<>();
            ELEMENT.matcher(job.group()).results().forEach(each -> fields.put(each.group(1), each.group(2)));
            String number = fields.getOrDefault("JB_job_number", "");
            states.put(number + "." + fields.getOrDefault("tasks", "1"), state(number, fields));
        });
        return states;
    }

    /** Letters of states: qstat(1). */
    private BatchState state(String job, Map<String, String> fields) {
        String state = fields.getOrDefault("state", "");
        if (state.contains("E")) {
            return new BatchState.Waiting(
                    "error state " + state + ": " + errorOf(job), Optional.of("Mend that; Fiber removes this job."));
        }
        return switch (state) {
            case "hqw" -> new BatchState.Waiting("it is held; qrls " + job + " releases it");
            case "qw" -> new BatchState.Waiting("");
            case "r" ->
                new BatchState.Running(fields.getOrDefault("queue_name", "").replaceFirst(".*@", ""));
            default -> new BatchState.Changing();
        };
    }

    private String errorOf(String job) {
        Matcher error = ERROR.matcher(
                commands.run(Command.of(LIMIT, List.of("qstat", "-j", job))).output());
        return error.find() ? error.group(1).strip() : "qstat -j " + job + " gives no reason";
    }

    /** Where records are not seen, qacct fails. */
    private void recorded(String job, Map<String, BatchState> states) {
        Answer answer = commands.run(Command.of(LIMIT, List.of("qacct", "-j", job)));
        for (String record : RECORD.split(answer.output(), -1)) {
            Map<String, String> fields = new TreeMap<>();
            FIELD.matcher(record).results().forEach(field -> fields.putIfAbsent(field.group(1), field.group(2)));
            Optional.ofNullable(fields.get("failed"))
                    .ifPresent(failed -> states.putIfAbsent(job + "." + fields.get("taskid"), ended(failed, fields)));
        }
    }

    private static BatchState ended(String failed, Map<String, String> fields) {
        int exitStatus = firstNumber(fields.getOrDefault("exit_status", "0"));
        int code = firstNumber(failed);
        if (code == 0 || code == AFTER_JOB) {
            return Ended.withCode(exitStatus);
        }
        String detail = "Grid Engine says: failed " + failed + ".";
        if (code == OVER_LIMIT) {
            OptionalInt exitCode = OptionalInt.of(exitStatus);
            JobTermination overLimit = JobTermination.failed(EndCause.TIME_LIMIT, exitCode, detail);
            return new Ended(overLimit, exitCode, OwnCode.COMPLETES);
        }
        return new Ended(
                JobTermination.lost(detail),
                OptionalInt.empty(),
                OwnCode.COMPLETES,
                JobTermination.failed(EndCause.START_FAILED, OptionalInt.empty(), detail));
    }

    private static int firstNumber(String text) {
        return Integer.parseInt(text.split("\\D", 2)[0]);
    }

    /** No program sends SIGTERM: running jobs are asked to end by a file. */
    @Override
    public void end(Collection<String> ids, Ending ending) {
        Collection<String> those = ids;
        if (ending == Ending.ASKED) {
            Map<String, BatchState> states = listed();
            those = ids.stream()
                    .filter(id -> states.get(id) instanceof BatchState.Waiting)
                    .toList();
        }
        if (!those.isEmpty()) {
            requireReached("qdel", commands.runWith(Command.of(LIMIT, List.of("qdel")), those));
        }
    }

    @Override
    public List<String> endCommand(Collection<String> ids) {
        List<String> words = new ArrayList<>(List.of("qdel"));
        words.addAll(ids);
        return words;
    }

    @Override
    public List<String> endSessionCommand() {
        return List.of("/bin/sh", "-c", DELETE, "qdel", "fiber-" + sessionId + "-*");
    }
}
