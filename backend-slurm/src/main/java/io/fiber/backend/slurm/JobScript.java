// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.Resources;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Renders the script of a submission from the one template, {@code job.sh}. It holds no secret: Slurm keeps scripts.
 *
 * @param site what the user said
 * @param sessionId of the session
 * @param master the directory that this process works in
 */
record JobScript(SiteOptions site, String sessionId, Path master) {

    private static final String TEMPLATE = readTemplate();
    private static final Pattern PLACE = Pattern.compile("@([a-z]+)@");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final long MIB = 1L << 20;
    private static final long SECONDS_OF_MINUTE = 60;
    static final long LEAST_OVERHEAD_MIB = 192;

    private static String readTemplate() {
        try (InputStream in = Objects.requireNonNull(JobScript.class.getResourceAsStream("job.sh"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the script of a submission whose files are in {@code folder}. */
    String render(Submission submission, SharedFolder.Part folder) {
        JobSpec spec = submission.spec();
        Map<String, String> places = new TreeMap<>();
        places.put("session", sessionId);
        places.put("directives", directives(submission, folder));
        places.put("folder", quoted(folder.path().toString()));
        places.put("news", quoted(folder.newsPrefix()));
        places.put("output", output(submission));
        places.put("directory", directory(spec));
        places.put("prologue", exports(spec) + site.prologue());
        places.put(
                "program",
                program(spec).stream().map(word -> "    " + scripted(word)).collect(Collectors.joining("\n")));
        return PLACE.matcher(TEMPLATE).replaceAll(match -> Matcher.quoteReplacement(places.get(match.group(1))));
    }

    private String directives(Submission submission, SharedFolder.Part folder) {
        JobSpec spec = submission.spec();
        List<String> lines = new ArrayList<>();
        lines.add("--job-name=" + folder.jobName());
        lines.add("--array=0-" + (submission.instances().size() - 1));
        lines.add("--nodes=1 --ntasks=1 --cpus-per-task=" + cpus(spec.resources()));
        lines.add("--mem=" + memoryMib(spec) + "M");
        List<String> gres = new ArrayList<>();
        if (spec.resources().gpus() > 0) {
            gres.add("gpu:" + spec.resources().gpus());
        }
        site.directives().forEach((name, value) -> {
            if (name.equals("gres")) {
                gres.add(value);
            } else {
                lines.add("--" + name + "=" + directiveWord(value));
            }
        });
        if (!gres.isEmpty()) {
            lines.add("--gres=" + directiveWord(String.join(",", gres)));
        }
        Optional<Duration> limit = spec.timeLimit().or(site::timeLimit);
        limit.ifPresent(time -> lines.add("--time=" + minutes(time)));
        long notice = noticeSeconds(limit);
        if (notice > 0) {
            lines.add("--signal=B:USR1@" + notice);
        }
        lines.add("--no-requeue --open-mode=append");
        String files = folder.path().toString().replace("%", "%%");
        lines.add("--chdir=" + directiveWord(folder.path().toString()));
        lines.add("--output=" + directiveWord(files + "/%a.out"));
        if (spec.output() instanceof JobOutput.Console) {
            lines.add("--error=" + directiveWord(files + "/%a.err"));
        }
        if (!spec.labels().isEmpty()) {
            lines.add("--comment=" + directiveWord(labels(spec.labels())));
        }
        lines.addAll(site.sbatchLines());
        return lines.stream().map(line -> "#SBATCH " + line).collect(Collectors.joining("\n"));
    }

    static int cpus(Resources resources) {
        return Math.max(1, (int) Math.ceil(resources.cpus().orElse(1)));
    }

    /** A JVM needs more than its heap; a plain command gets what was said. */
    long memoryMib(JobSpec spec) {
        long bytes = spec.resources().memoryBytes().orElse(site.memoryBytes());
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

    private static String output(Submission submission) {
        if (!(submission.spec().output() instanceof JobOutput.Files files)) {
            return "";
        }
        String directory = quoted(files.directory().toAbsolutePath().toString());
        String names =
                submission.instances().stream().map(Submission.Instance::name).collect(Collectors.joining(" "));
        return "\nnames=(" + names + ")\n(umask 022 && mkdir -p " + directory + ")\nexec >>" + directory
                + "/\"${names[index]}.log\" 2>&1\n";
    }

    /** Where nothing was said it is where this process works, if the node has such a directory. */
    private String directory(JobSpec spec) {
        return spec.workingDirectory()
                .map(directory -> quoted(directory.toAbsolutePath().toString()))
                .orElseGet(() -> quoted(master.toString()) + " 2>/dev/null || cd -- \"$HOME\"");
    }

    private static String exports(JobSpec spec) {
        return new TreeMap<>(spec.environment())
                .entrySet().stream()
                        .filter(variable -> VARIABLE.matcher(variable.getKey()).matches())
                        .map(variable -> "export " + variable.getKey() + "=" + scripted(variable.getValue()) + "\n")
                        .collect(Collectors.joining());
    }

    private List<String> program(JobSpec spec) {
        List<String> words = new ArrayList<>(site.wrapper());
        List<String> odd = new TreeMap<>(spec.environment())
                .entrySet().stream()
                        .filter(variable -> !VARIABLE.matcher(variable.getKey()).matches())
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList();
        if (!odd.isEmpty()) {
            words.add("env");
            words.addAll(odd);
        }
        if (spec.program() instanceof Program.Java java) {
            words.addAll(java.commandLine(
                    site.java()
                            .orElse(Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString()),
                    limits(spec),
                    ":"));
        } else {
            words.addAll(((Program.Command) spec.program()).words());
        }
        return words;
    }

    /** The JVM sees all processors of the node, and takes a quarter of its memory, whatever the job was given. */
    private List<String> limits(JobSpec spec) {
        long bytes = spec.resources().memoryBytes().orElse(site.memoryBytes());
        return List.of("-Xmx" + Math.max(1, bytes / MIB) + "m", "-XX:ActiveProcessorCount=" + cpus(spec.resources()));
    }

    /** Returns a word that bash takes as it is; sbatch refuses scripts with a carriage return at the end of a line. */
    private static String scripted(String word) {
        return quoted(word).replace("\r", "'$'\\r''");
    }

    /** Returns a word that the shell takes as it is. */
    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** Returns a word of a line of #SBATCH, quoted where it must be. */
    static String directiveWord(String word) {
        return word.matches("[A-Za-z0-9_./:,=@%+\\[\\]-]*")
                ? word
                : "\"" + word.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
