// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fiber.backend.support.LongWords;
import io.fiber.spec.Resources;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A checked spec that can start on this host: its command, directory and variables. Immutable.
 *
 * <p>Every error that can be known in advance is reported here, before the first process of a submission starts.
 */
final class Launch {

    private static final boolean WINDOWS = File.separatorChar == '\\';
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:,=@%+-]+");
    static final File NOTHING = new File(WINDOWS ? "NUL" : "/dev/null");

    /** Every JVM takes options from these variables. */
    private static final List<String> VARIABLES_OF_JVMS =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

    private final boolean isJava;
    private final boolean needsGpus;
    private final List<String> command;
    /** Where the words after the program begin in the command. */
    private final int options;

    private final Path directory;
    private final Map<String, String> environment;

    private Launch(
            boolean isJava,
            boolean needsGpus,
            List<String> command,
            int options,
            Path directory,
            Map<String, String> environment) {
        this.isJava = isJava;
        this.needsGpus = needsGpus;
        this.command = command;
        this.options = options;
        this.directory = directory;
        this.environment = environment;
    }

    /**
     * Checks a submission and builds its command.
     *
     * @throws JobRejectedException if this host cannot run it as requested
     */
    static Launch of(Submission submission, ProcessGroups groups, Supplier<Gpus> gpus) {
        String name = submission.instances().get(0).name();
        JobSpec spec = submission.spec();
        submission.requireOffered(LocalBackendProvider.NAME, LocalBackendProvider.CAPABILITIES);
        refuseWhatIsOfferedToJavaOnly(name, spec);
        List<String> gate = spec.resources().gpus() == 0 ? List.of() : gpuGate(name, spec, groups, gpus.get());
        Path directory = spec.workingDirectory().orElse(Path.of("")).toAbsolutePath();
        if (!Files.isDirectory(directory)) {
            throw new JobRejectedException("Process '" + name + "' is to start in the working directory '" + directory
                    + "', which is not a directory of this host. Create it, or name another one.");
        }
        List<String> words = new ArrayList<>(render(spec));
        words.set(0, new ExecutableSearch(name, directory, spec.environment()).find(words.get(0)));
        NativeWords.ofThisJvm().check(name, words, spec.environment());
        boolean isJava = spec.program() instanceof Program.Java;
        List<String> command = groups.inGroupOfItsOwn(
                Stream.concat(gate.stream(), words.stream()).toList());
        return new Launch(
                isJava, !gate.isEmpty(), command, command.size() - words.size() + 1, directory, spec.environment());
    }

    /** What a process without bootstrap bytes reads as its standard input. */
    enum Input {
        NOTHING,
        CONSOLE
    }

    /**
     * Returns this launch in a form that the system accepts: paths that are too long are in a file in {@code folder}.
     *
     * @throws JobRejectedException if the file cannot be written
     */
    Launch withLongWordsIn(Path folder) {
        Charset charset = NativeWords.ofThisJvm().charset();
        if (!isJava || !LongWords.areIn(command, charset)) {
            return this;
        }
        try {
            // Processes of one command share a file, which is never seen half written.
            Path file = folder.resolve(
                    "arguments-" + UUID.nameUUIDFromBytes(command.toString().getBytes(UTF_8)));
            LongWords taken = LongWords.of(command, options, "@" + file);
            if (!Files.exists(file)) {
                Path written = Files.createTempFile(folder, "arguments-", ".new");
                Files.write(written, taken.content().getBytes(charset));
                Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
            }
            return new Launch(true, needsGpus, taken.words(), options, directory, environment);
        } catch (IOException e) {
            throw new JobRejectedException(
                    "The paths of a Java program are too long for a command line, and cannot be written into a"
                            + " file of '" + folder + "': " + e
                            + ". Make room there, or name another temporary directory"
                            + " by -Djava.io.tmpdir.",
                    e);
        }
    }

    /** Returns a builder for one process of this launch, whose output is not redirected yet. */
    ProcessBuilder process(Submission.Instance instance, Input input) {
        ProcessBuilder process = new ProcessBuilder(command).directory(directory.toFile());
        // A master may itself be a job: its own bootstrap variable is not for its children.
        process.environment().remove(JobSpec.BOOTSTRAP_VARIABLE);
        if (isJava && instance.bootstrap().length() > 0) {
            // A worker's command line has the options that it needs from this JVM. Others, such as a debugger's port,
            // must not reach it.
            process.environment().keySet().removeAll(VARIABLES_OF_JVMS);
        }
        process.environment().putAll(environment);
        if (instance.bootstrap().length() > 0) {
            process.environment().put(JobSpec.BOOTSTRAP_VARIABLE, "stdin");
        } else if (input == Input.NOTHING && !needsGpus) {
            process.redirectInput(Redirect.from(NOTHING));
        }
        return process;
    }

    /** Returns the complete command, including the words in front of the program. */
    List<String> command() {
        return command;
    }

    /** Returns the shell command that would start each process of this launch, below the names of the processes. */
    String text(Submission submission) {
        String names =
                submission.instances().stream().map(Submission.Instance::name).collect(Collectors.joining(", "));
        Map<String, String> variables = new TreeMap<>(environment);
        if (submission.instances().stream()
                .anyMatch(instance -> instance.bootstrap().length() > 0)) {
            variables.put(JobSpec.BOOTSTRAP_VARIABLE, "stdin");
        }
        List<String> words = new ArrayList<>();
        if (!variables.isEmpty()) {
            words.add("env");
            variables.forEach((name, value) -> words.add(name + "=" + value));
        }
        words.addAll(command);
        String gpus = needsGpus ? "; the first line of its input names its GPUs" : "";
        return "# " + names + gpus + "\ncd " + quoted(directory.toString()) + " && "
                + words.stream().map(Launch::quoted).collect(Collectors.joining(" ")) + "\n";
    }

    /** Quotes a word for a shell. */
    private static String quoted(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private static List<String> render(JobSpec spec) {
        if (spec.program() instanceof Program.Java java) {
            List<String> limits = new ArrayList<>();
            spec.resources().memoryBytes().ifPresent(bytes -> limits.add("-Xmx" + heapSize(bytes)));
            spec.resources().cpus().ifPresent(cpus -> limits.add("-XX:ActiveProcessorCount=" + (int) Math.ceil(cpus)));
            String thisJava = Path.of(System.getProperty("java.home"), "bin", WINDOWS ? "java.exe" : "java")
                    .toString();
            return java.commandLine(thisJava, limits, File.pathSeparator);
        }
        return ((Program.Command) spec.program()).words();
    }

    private static String heapSize(long bytes) {
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + "m" : Long.toString(bytes);
    }

    private static void refuseWhatIsOfferedToJavaOnly(String name, JobSpec spec) {
        Resources resources = spec.resources();
        resources.cpus().ifPresent(cpus -> refuseTooManyProcessors(name, spec, cpus));
        if (resources.memoryBytes().isPresent() && spec.program() instanceof Program.Command) {
            throw new JobRejectedException("FBR-106 Process '" + name + "' needs MEMORY_LIMIT (memoryBytes="
                    + resources.memoryBytes().getAsLong() + ") for a plain command; backend 'local' offers it for Java"
                    + " programs only, as their -Xmx. Leave the memory out, or choose a backend that bounds any"
                    + " program.");
        }
    }

    /**
     * Returns words in front of a command: a shell that waits for one line, the names of the job's GPUs, and becomes the
     * program. So the job has its process, which holds the GPUs, before it has the GPUs. It ends if this program does.
     */
    private static List<String> gpuGate(String name, JobSpec spec, ProcessGroups groups, Gpus gpus) {
        int needed = spec.resources().gpus();
        if (!groups.hasShell()) {
            throw new JobRejectedException("FBR-106 Process '" + name + "' needs GPU (gpus=" + needed
                    + "); backend 'local' offers it on hosts with /bin/sh only. Ask for no GPU, or choose another"
                    + " backend.");
        }
        if (needed > gpus.names().size()) {
            throw new JobRejectedException("FBR-106 Process '" + name + "' needs GPU (gpus=" + needed
                    + "); this host has " + gpus.described() + ". Ask for at most "
                    + gpus.names().size()
                    + ", name GPUs in fiber.local.gpus, or choose a backend with larger hosts.");
        }
        if (spec.environment().containsKey(gpus.variable())) {
            throw new JobRejectedException("FBR-106 Process '" + name + "' needs GPU (gpus=" + needed
                    + ") and has " + gpus.variable() + "=" + spec.environment().get(gpus.variable())
                    + " in its environment; expected one of the two. Leave the variable out, or ask for no GPU.");
        }
        String script = gpus.misleadingVariables().stream()
                        .map(variable -> "unset " + variable + "; ")
                        .collect(Collectors.joining())
                + "read -r " + gpus.variable() + " && export " + gpus.variable() + " && exec \"$@\"";
        List<String> gate = new ArrayList<>(groups.shell());
        gate.addAll(List.of("-c", script, "fiber-gpus"));
        return gate;
    }

    private static void refuseTooManyProcessors(String name, JobSpec spec, double cpus) {
        if (spec.program() instanceof Program.Command) {
            throw new JobRejectedException("FBR-106 Process '" + name + "' needs CPU_LIMIT (cpus=" + cpus
                    + ") for a plain command; backend 'local' offers it for Java programs only, as the number of"
                    + " processors that their JVM counts on. Leave the cpus out, or choose a backend that bounds any"
                    + " program.");
        }
        int present = Runtime.getRuntime().availableProcessors();
        if (cpus > present) {
            throw new JobRejectedException("FBR-106 Process '" + name + "' needs CPU_LIMIT (cpus=" + cpus
                    + "); this host has " + present + " processors. Ask for at most " + present
                    + ", or choose a backend with larger hosts.");
        }
    }

    /**
     * Creates the directory for the log files of this spec and returns it.
     *
     * @throws JobRejectedException if it cannot be created
     */
    static Path createLogDirectory(JobOutput.Files files) {
        Path directory = files.directory().toAbsolutePath();
        try {
            return Files.createDirectories(directory);
        } catch (IOException e) {
            throw new JobRejectedException(
                    "The directory '" + directory + "' for the output of jobs cannot be made: " + e
                            + ". Name a directory that can be written.",
                    e);
        }
    }
}
