// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.backend.support.DetachedRuns;
import io.fiber.backend.support.batch.BatchScript;
import io.fiber.backend.support.batch.BatchScript.OutputBy;
import io.fiber.backend.support.batch.Restarts;
import io.fiber.backend.support.batch.SharedFolder;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Renders the script of a submission: what Slurm reads of it, in front of what all batch systems run.
 *
 * @param site what the user said
 * @param master the directory that this process works in
 * @param badNodes that jobs are kept from
 * @param isArray whether a submission is an array; otherwise it is one job
 */
record JobScript(SiteOptions site, Path master, BadNodes badNodes, boolean isArray) {

    private static final long MIB = 1L << 20;
    private static final long SECONDS_OF_MINUTE = 60;
    static final long LEAST_OVERHEAD_MIB = 192;

    /** Slurm would set the limits of this shell (ulimit) for jobs; those of login nodes are low, and kill without a word. */
    static final String NO_LIMITS = "--propagate=NONE";

    /**
     * What Slurm and a site tell a job of its own directories and devices must not reach the next one. It must know where
     * Slurm's settings are.
     */
    private static final String WITHOUT_VARIABLES =
            "conf=${SLURM_CONF-}; unset -v \"${!SLURM_@}\" TMPDIR XDG_RUNTIME_DIR CUDA_VISIBLE_DEVICES ROCR_VISIBLE_DEVICES"
                    + " GPU_DEVICE_ORDINAL; [[ -z $conf ]] || export SLURM_CONF=$conf; ";

    /** Returns the script of a submission whose files are in {@code folder}. */
    String render(Submission submission, SharedFolder.Part folder) {
        return render(submission, folder, OutputBy.SYSTEM);
    }

    /** Returns that of steps, which writes their output itself: srun would write the last of it after their end was told. */
    String renderSteps(Submission submission, SharedFolder.Part folder) {
        return render(submission, folder, OutputBy.SCRIPT);
    }

    private String render(Submission submission, SharedFolder.Part folder, OutputBy outputBy) {
        SiteOptions chosen = site.of(submission.spec());
        BatchScript script = BatchScript.of(submission, folder)
                .directives(directives(submission, folder, chosen))
                .index(isArray ? "${1-$SLURM_ARRAY_TASK_ID}" : "${1-0}")
                .host("${SLURMD_NODENAME:-$HOSTNAME}")
                .output(outputBy)
                .exit(BatchScript.Exit.AS_PROGRAM)
                .start(master)
                .prologue(chosen.prologue())
                .wrapper(chosen.wrapper())
                .jvmOptions(limits(submission.spec()));
        site.java().ifPresent(script::java);
        restarts(submission.spec(), folder).ifPresent(script::restarts);
        return script.render();
    }

    /** Slurm itself starts a job again after a preemption by requeue, the loss of its node, and 'scontrol requeue'. */
    private Optional<Restarts> restarts(JobSpec spec, SharedFolder.Part folder) {
        if (!isStartedAgain(spec)) {
            return Optional.empty();
        }
        long notice = noticeSeconds(limit(spec));
        if (notice < Restarts.LEAST_NOTICE.toSeconds()) {
            throw new BackendException("FBR-135 Option 'fiber.slurm.notice' is "
                    + site.notice().toSeconds() + "s, but a program that is started again needs "
                    + Restarts.LEAST_NOTICE.toSeconds()
                    + "s or more to stop before its time limit. Raise it, or leave it out.");
        }
        String words = SiteOptions.words(spec, badNodes).stream()
                .map(word -> " " + Preview.word(word))
                .collect(Collectors.joining());
        return Optional.of(new Restarts(
                spec.restarts(),
                Duration.ofSeconds(notice),
                isArray ? "\"${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID\"" : "\"$SLURM_JOB_ID\"",
                "scontrol requeue \"$SLURM_JOB_ID\"",
                WITHOUT_VARIABLES + "sbatch --parsable" + words + " \"$folder/job.sh\"",
                "scancel --quiet --name=" + folder.jobName()));
    }

    private static boolean isStartedAgain(JobSpec spec) {
        return DetachedRuns.isOne(spec) && spec.restarts() > 0;
    }

    private Optional<Duration> limit(JobSpec spec) {
        return spec.timeLimit().or(site::timeLimit);
    }

    private List<String> directives(Submission submission, SharedFolder.Part folder, SiteOptions chosen) {
        JobSpec spec = submission.spec();
        List<String> lines = new ArrayList<>();
        lines.add("--job-name=" + folder.jobName());
        if (isArray) {
            lines.add("--array=0-" + (submission.instances().size() - 1));
        }
        lines.add("--nodes=" + chosen.nodes() + " --ntasks=" + chosen.nodes() + " --cpus-per-task="
                + cpus(spec.resources()));
        site.memory().request(memoryMib(spec), cpus(spec.resources()), chosen).ifPresent(lines::add);
        if (!chosen.setsOneOf(Set.of("--propagate"))) {
            lines.add(NO_LIMITS);
        }
        List<String> gres = chosen.gres(spec);
        chosen.directives().forEach((name, value) -> {
            if (!Set.of("gres", "nodes", "exclude").contains(name)) {
                lines.add("--" + name + "=" + directiveWord(value));
            }
        });
        badNodes.with(Optional.ofNullable(chosen.directives().get("exclude")))
                .ifPresent(nodes -> lines.add("--exclude=" + directiveWord(nodes)));
        if (!gres.isEmpty()) {
            lines.add("--gres=" + directiveWord(String.join(",", gres)));
        }
        Optional<Duration> limit = limit(spec);
        limit.ifPresent(time -> lines.add("--time=" + minutes(time)));
        long notice = noticeSeconds(limit);
        if (notice > 0) {
            lines.add("--signal=B:USR1@" + notice);
        }
        lines.add((isStartedAgain(spec) ? "--requeue" : "--no-requeue") + " --open-mode=append");
        String element = isArray ? "/%a" : "/0";
        String files = folder.path().toString().replace("%", "%%");
        lines.add("--chdir=" + directiveWord(folder.path().toString()));
        lines.add("--output=" + directiveWord(files + element + ".out"));
        if (spec.output() instanceof JobOutput.Console) {
            lines.add("--error=" + directiveWord(files + element + ".err"));
        }
        Map<String, String> labels = DetachedRuns.isOne(spec)
                ? DetachedQueue.labelsOf(
                        folder.sessionId(), submission.instances().get(0).name(), spec.labels())
                : spec.labels();
        if (!labels.isEmpty()) {
            SiteOptions.requireUnset(chosen.sbatchLines(), Set.of("--comment"));
            lines.add("--comment=" + directiveWord(labels(labels)));
        }
        lines.addAll(chosen.sbatchLines());
        return lines.stream().map(line -> "#SBATCH " + line).toList();
    }

    static int cpus(Resources resources) {
        return Math.max(1, (int) Math.ceil(resources.cpus().orElse(1)));
    }

    /** A JVM needs more than its heap; a plain command gets what was said. */
    long memoryMib(JobSpec spec) {
        long bytes = spec.resources().memoryBytes().orElse(site.memory().bytes());
        long mib = (bytes + MIB - 1) / MIB;
        return spec.program() instanceof Program.Java ? mib + Math.max(LEAST_OVERHEAD_MIB, mib / 4) : mib;
    }

    /** At least three quarters of its time a job is left alone. */
    private long noticeSeconds(Optional<Duration> limit) {
        long most = limit.map(time -> minutes(time) * SECONDS_OF_MINUTE / 4).orElse(Long.MAX_VALUE);
        return Math.min(most, site.notice().toSeconds());
    }

    /** Slurm counts whole minutes. */
    static long minutes(Duration limit) {
        return Math.max(1, (limit.toSeconds() + 59) / 60);
    }

    static String labels(Map<String, String> labels) {
        return new TreeMap<>(labels)
                .entrySet().stream()
                        .map(label -> label.getKey() + "=" + label.getValue())
                        .collect(Collectors.joining(","));
    }

    /** The JVM sees all processors of the node, and takes a quarter of its memory, whatever the job was given. */
    private List<String> limits(JobSpec spec) {
        long bytes = spec.resources().memoryBytes().orElse(site.memory().bytes());
        return List.of("-Xmx" + Math.max(1, bytes / MIB) + "m", "-XX:ActiveProcessorCount=" + cpus(spec.resources()));
    }

    /** Returns a word of a line of #SBATCH, quoted where it must be. */
    static String directiveWord(String word) {
        return word.matches("[A-Za-z0-9_./:,=@%+\\[\\]-]*")
                ? word
                : "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
