// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

import io.fiber.backend.support.LongWords;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The script that every job of a submission runs, from the single template {@code job.sh}. It starts the program once,
 * or again after some ends ({@link Restarts}), with its own words, variables and bootstrap file. It forwards a request to end, and reports by files that the program
 * has started and ended. It ends by itself when the files of the session are gone. It contains no secret, because batch
 * systems keep scripts. It needs bash. Not thread-safe.
 */
public final class BatchScript {

    private static final String TEMPLATE = template("job.sh");
    private static final Pattern PLACE = Pattern.compile("@([a-z]+)@");
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final long MIB = 1L << 20;
    private static final String UNSEEN = "FBR-140 This node does not see a part of the program's class path:";
    private static final String IN_HOME = "cd -- \"$HOME\"";
    private static final String ELSEWHERE =
            "\"$HOSTNAME does not have this run's directory. The program starts in $HOME: a journal needs an absolute path.\"";
    private static final String CHECK = """
        if [[ ! -e $entry ]]; then
            echo "%s '$entry' on $HOSTNAME. Keep it where all nodes see it." >&2
            tell ended '127 -'
            exit %s
        fi\
        """;

    /** Once: the program may need long for its end. */
    private static final String MARKED = """

                if [[ $asked == - && -e $folder/$index.cancelled ]]; then
                    kill -TERM $$
                fi\
        """;

    /** The shell's word for the argument file of a Java program whose paths are too long for a word. */
    private static final String ARGUMENTS = "\"@$folder/$index.arguments\"";

    private final Submission submission;
    private final SharedFolder.Part part;
    private List<String> directives = List.of();
    private String index = "0";
    private String host = "$HOSTNAME";
    private OutputBy outputBy = OutputBy.SCRIPT;
    private Exit exit = Exit.WITH_ZERO;
    private EndRequest endRequest = EndRequest.SIGNAL;
    private Path start = Path.of("").toAbsolutePath();
    private String prologue = "";
    private List<String> wrapper = List.of();
    private Optional<String> java = Optional.empty();
    private List<String> jvmOptions;
    private Optional<Restarts> restarts = Optional.empty();

    /** What writes the output of a job into its files. */
    public enum OutputBy {
        /** The script. */
        SCRIPT,
        /** The batch system, by a directive with {@link SharedFolder.Part#output}. */
        SYSTEM
    }

    /** How the script ends. The exit code of the program reaches the session by a file in any case. */
    public enum Exit {
        /** With 0. Some systems take other codes for requests: Grid Engine runs a job again after 99. */
        WITH_ZERO,
        /** With the program's exit code, or why the program was not started, for people who read the system's records. */
        AS_PROGRAM
    }

    /** How a running job learns that it is asked to end. */
    public enum EndRequest {
        /** By SIGTERM, which the system sends. */
        SIGNAL,
        /**
         * By the file that marks it as cancelled: the script looks for it every second, and sends SIGTERM to the program.
         * For systems without a command for signals; {@link Scheduler#end} then only removes waiting jobs if they are
         * asked. It comes as late as a node sees a new file.
         */
        FILE
    }

    private BatchScript(Submission submission, SharedFolder.Part part) {
        this.submission = requireNonNull(submission, "submission");
        this.part = requireNonNull(part, "part");
        this.jvmOptions = limits(submission.spec().resources());
    }

    /** Returns the text of a template. */
    static String template(String name) {
        try (InputStream in = Objects.requireNonNull(BatchScript.class.getResourceAsStream(name))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the script of a submission whose files exist. */
    public static BatchScript of(Submission submission, SharedFolder.Part part) {
        return new BatchScript(submission, part);
    }

    /** Sets the lines for the batch system, complete and in its syntax; none by default. */
    public BatchScript directives(List<String> lines) {
        directives = List.copyOf(lines);
        return this;
    }

    /** Sets the shell's word for the number of a job in its submission, counted from 0; 0 by default. */
    public BatchScript index(String word) {
        index = requireNonNull(word, "word");
        return this;
    }

    /** Sets the shell's word for the name of the node; {@code $HOSTNAME} by default. */
    public BatchScript host(String word) {
        host = requireNonNull(word, "word");
        return this;
    }

    /** Sets what writes the output into files; the script by default. */
    public BatchScript output(OutputBy by) {
        outputBy = requireNonNull(by, "by");
        return this;
    }

    /** Sets how the script ends; with 0 by default. */
    public BatchScript exit(Exit how) {
        exit = requireNonNull(how, "how");
        return this;
    }

    /** Sets how a running job learns that it is asked to end; by a signal by default. */
    public BatchScript endRequest(EndRequest by) {
        endRequest = requireNonNull(by, "by");
        return this;
    }

    /** Sets where jobs without a directory start, if nodes have it; the directory of this process by default. */
    public BatchScript start(Path directory) {
        start = requireNonNull(directory, "directory");
        return this;
    }

    /** Sets shell lines before the program; none by default. */
    public BatchScript prologue(String lines) {
        prologue = requireNonNull(lines, "lines");
        return this;
    }

    /** Sets words in front of the program; none by default. */
    public BatchScript wrapper(List<String> words) {
        wrapper = List.copyOf(words);
        return this;
    }

    /** Sets the java that nodes run; this JVM's own by default. */
    public BatchScript java(String program) {
        java = Optional.of(program);
        return this;
    }

    /** Sets options to place before the JVM's own; by default those that limit it to the requested memory and processors. */
    public BatchScript jvmOptions(List<String> options) {
        jvmOptions = List.copyOf(options);
        return this;
    }

    /** Has the program started again after an end that is not its own; by default a job runs it once. */
    public BatchScript restarts(Restarts value) {
        restarts = Optional.of(value);
        return this;
    }

    private static List<String> limits(Resources resources) {
        List<String> options = new ArrayList<>();
        resources.memoryBytes().ifPresent(bytes -> options.add("-Xmx" + Math.max(1, bytes / MIB) + "m"));
        resources
                .cpus()
                .ifPresent(cpus -> options.add("-XX:ActiveProcessorCount=" + Math.max(1, (int) Math.ceil(cpus))));
        return options;
    }

    /** Returns the text. */
    public String render() {
        JobSpec spec = submission.spec();
        Map<String, String> places = new TreeMap<>();
        places.put("session", part.sessionId());
        places.put("directives", String.join("\n", directives));
        places.put("folder", quoted(part.path().toString()));
        places.put("news", quoted(part.newsPrefix()));
        places.put("index", index);
        places.put("host", host);
        places.put("output", output());
        places.put("over", exitCode("75"));
        places.put("nowhere", exitCode("126"));
        places.put("code", exitCode("\"${code:-143}\""));
        places.put("look", endRequest == EndRequest.FILE ? "1" : "2");
        places.put("marked", endRequest == EndRequest.FILE ? MARKED : "");
        places.put("directory", directory(spec));
        places.put("prologue", variables(spec) + prologue);
        List<String> words = program(spec);
        boolean isLong = spec.program() instanceof Program.Java && LongWords.areIn(words, StandardCharsets.UTF_8);
        LongWords taken = isLong ? LongWords.of(words, wrapper.size(), ARGUMENTS) : new LongWords(words, "");
        places.put("visible", visible(spec) + (isLong ? arguments(taken.content()) : ""));
        places.put(
                "program",
                taken.words().stream()
                        .map(word -> "    " + (word.equals(ARGUMENTS) ? word : scripted(word)))
                        .collect(Collectors.joining("\n")));
        places.putAll(restarts.map(Restarts::places).orElse(Restarts.NONE));
        return filled(TEMPLATE, places);
    }

    /** Returns a template with its places filled. */
    static String filled(String template, Map<String, String> places) {
        return PLACE.matcher(template).replaceAll(match -> Matcher.quoteReplacement(places.get(match.group(1))));
    }

    private String output() {
        JobOutput output = submission.spec().output();
        if (output instanceof JobOutput.Files files && part.files().isHere()) {
            return toFiles(quoted(files.directory().toAbsolutePath().toString()));
        }
        if (outputBy == OutputBy.SYSTEM) {
            return "";
        }
        String errors = output instanceof JobOutput.Console ? "2>>\"$folder/$index.err\"" : "2>&1";
        return "\nexec >>\"$folder/$index.out\" " + errors + "\n";
    }

    private String toFiles(String directory) {
        String names =
                submission.instances().stream().map(Submission.Instance::name).collect(Collectors.joining(" "));
        return "\nnames=(" + names + ")\nmkdir -p " + directory + "\nexec >>" + directory
                + "/\"${names[index]}.log\" 2>&1\n";
    }

    /**
     * Returns where the job starts; by default this process's directory, if the node has it. A program that is started
     * again is told otherwise: with a relative path, its journal would not be found by a start elsewhere.
     */
    private String directory(JobSpec spec) {
        return spec.workingDirectory()
                .map(directory -> quoted(directory.toAbsolutePath().toString()))
                .orElseGet(() -> quoted(start.toString()) + " 2>/dev/null || "
                        + (restarts.isEmpty() ? IN_HOME : "{ echo " + ELSEWHERE + " >&2; " + IN_HOME + "; }"));
    }

    /** A worker's command line has the options that it needs from this JVM, whose variables may come with the job. */
    private String variables(JobSpec spec) {
        boolean isWorker = spec.program() instanceof Program.Java
                && submission.instances().stream()
                        .anyMatch(instance -> instance.bootstrap().length() > 0);
        return (isWorker ? "unset JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS\n" : "")
                + restarts.map(Restarts::export).orElse("")
                + exports(spec);
    }

    private static String exports(JobSpec spec) {
        return new TreeMap<>(spec.environment())
                .entrySet().stream()
                        .filter(variable -> VARIABLE.matcher(variable.getKey()).matches())
                        .map(variable -> "export " + variable.getKey() + "=" + scripted(variable.getValue()) + "\n")
                        .collect(Collectors.joining());
    }

    private String exitCode(String ofProgram) {
        return exit == Exit.AS_PROGRAM ? ofProgram : "0";
    }

    /** Returns script lines that end the job with an error if a node does not see the same program files as this host. */
    private String visible(JobSpec spec) {
        if (!(spec.program() instanceof Program.Java program) || !part.files().isHere()) {
            return "";
        }
        String entries = Stream.concat(program.classPath().stream(), program.modulePath().stream())
                .filter(entry -> Files.exists(Path.of(entry)))
                .map(BatchScript::scripted)
                .collect(Collectors.joining(" "));
        return entries.isEmpty()
                ? ""
                : "\nfor entry in " + entries + "; do\n"
                        + CHECK.formatted(UNSEEN, exitCode("127")).indent(4).stripTrailing() + "\ndone";
    }

    /** The shell's built-in commands accept longer arguments than programs do. */
    private static String arguments(String content) {
        return "\nprintf '%s' " + scripted(content) + " >\"$folder/$index.arguments\"";
    }

    private List<String> program(JobSpec spec) {
        List<String> words = new ArrayList<>(wrapper);
        List<String> odd = new TreeMap<>(spec.environment())
                .entrySet().stream()
                        .filter(variable -> !VARIABLE.matcher(variable.getKey()).matches())
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList();
        if (!odd.isEmpty()) {
            words.add("env");
            words.addAll(odd);
        }
        if (spec.program() instanceof Program.Java program) {
            String own = Path.of(System.getProperty("java.home"), "bin", "java").toString();
            words.addAll(program.commandLine(java.orElse(own), jvmOptions, ":"));
        } else {
            words.addAll(((Program.Command) spec.program()).words());
        }
        return words;
    }

    /**
     * Quotes a word for bash. No line of it begins with {@code #}, which some systems would take for a directive; sbatch
     * rejects scripts with a carriage return at the end of a line.
     */
    private static String scripted(String word) {
        return quoted(word).replace("\n#", "'$'\\n''#").replace("\r", "'$'\\r''");
    }

    /** Quotes a word for the shell. */
    public static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
