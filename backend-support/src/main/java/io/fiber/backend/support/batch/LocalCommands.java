// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import io.fiber.spi.backend.JobSpec;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Runs the programs of a batch system as child processes of this JVM. Their output goes through files of the session,
 * so that no thread has to read pipes.
 */
public final class LocalCommands implements Commands {

    /** For five minutes, and longer if each attempt takes long. */
    private static final String AGAIN =
            "trap '' INT TERM HUP QUIT; left=60; until \"$@\" || [ $left -eq 0 ]; do left=$((left - 1)); sleep 5; done";

    private final BatchName name;
    private final Path scratch;
    private final Surroundings surroundings;

    /**
     * The environment of the programs.
     *
     * @param environment its PATH says where they are
     * @param inherited which variables of this process reach them, and perhaps a job, because this process may itself
     *     be a job
     * @param taken names of variables that they get from {@code environment}, with the values at the start of a program,
     *     even if {@code inherited} refuses them
     */
    public record Surroundings(Environment environment, Predicate<String> inherited, Set<String> taken) {
        /** Checks that no value is null. */
        public Surroundings {
            requireNonNull(environment, "environment");
            requireNonNull(inherited, "inherited");
            taken = Set.copyOf(taken);
        }

        /** Returns the environment without the variables whose names begin with one of these prefixes. */
        public static Surroundings without(Environment environment, String... prefixes) {
            return new Surroundings(
                    environment, variable -> Arrays.stream(prefixes).noneMatch(variable::startsWith), Set.of());
        }
    }

    /**
     * Creates a runner.
     *
     * @param scratch a directory of this host
     */
    public LocalCommands(BatchName name, Path scratch, Surroundings surroundings) {
        this.name = name;
        this.scratch = scratch;
        this.surroundings = surroundings;
    }

    /** Returns the file of a program on the PATH of an environment. */
    public static Optional<Path> find(String program, Environment environment) {
        for (String entry : environment.variable("PATH").orElse("").split(":", -1)) {
            if (entry.startsWith("/")) {
                Path file = Path.of(entry).resolve(program);
                if (Files.isRegularFile(file) && Files.isExecutable(file)) {
                    return Optional.of(file);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether a system can be used, for the probe of its provider: whether its programs are on the PATH.
     *
     * @param job the variable that its jobs have
     * @param advice what to do if a program is missing
     */
    public static Probe probe(Environment environment, List<String> programs, String job, String advice) {
        for (String program : programs) {
            if (find(program, environment).isEmpty()) {
                return new Probe.Unusable(program + " was not found on PATH="
                        + environment.variable("PATH").orElse("") + "; " + advice);
            }
        }
        return environment
                .variable(job)
                .<Probe>map(id -> new Probe.Inside(job + "=" + id))
                .orElseGet(() -> new Probe.Usable(programs.get(0) + " is "
                        + find(programs.get(0), environment).orElseThrow()));
    }

    /**
     * Checks that programs are on the PATH.
     *
     * @throws BackendException FBR-132 if one is not
     */
    public static void require(BatchName name, List<String> programs, Environment environment) {
        for (String program : programs) {
            if (find(program, environment).isEmpty()) {
                throw notFound(name, program, environment);
            }
        }
    }

    /** Returns the exception for a program that is not on the PATH. */
    public static BackendException notFound(BatchName name, String program, Environment environment) {
        return new BackendException("FBR-132 " + name.shown() + " cannot be used: the program '" + program
                + "' is in no directory of PATH=" + environment.variable("PATH").orElse("")
                + ". Run this program on a login node or inside a job, or put " + name.shown()
                + "'s programs on the PATH (on many sites: module load " + name.backend() + ").");
    }

    @Override
    public Answer run(Command command) {
        Path file = found(command.program());
        try {
            Path output = Files.createTempFile(scratch, name.backend(), ".out");
            Path errors = Files.createTempFile(scratch, name.backend(), ".err");
            try {
                return run(command, file, List.of(output, errors));
            } finally {
                Files.deleteIfExists(output);
                Files.deleteIfExists(errors);
            }
        } catch (IOException e) {
            throw new BackendUnavailableException("FBR-130 '" + command.program() + "' could not be run: " + e, e);
        }
    }

    private Answer run(Command command, Path file, List<Path> streams) throws IOException {
        ProcessBuilder builder = builder(command.words(), file)
                .redirectOutput(streams.get(0).toFile())
                .redirectError(streams.get(1).toFile());
        if (!command.handsOnItsSurroundings()) {
            // Its texts are parsed, so they must be in the known language.
            builder.environment().put("LC_ALL", "C");
        }
        Process process = builder.start();
        try (var input = process.getOutputStream()) {
            input.write(command.input().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It has ended already; its error output says more.
        }
        await(process, command);
        return new Answer(process.exitValue(), Files.readString(streams.get(0)), Files.readString(streams.get(1)));
    }

    private ProcessBuilder builder(List<String> command, Path file) {
        List<String> words = new ArrayList<>(command);
        words.set(0, file.toString());
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().keySet().removeIf(this::isNotInherited);
        for (String variable : surroundings.taken()) {
            surroundings
                    .environment()
                    .variable(variable)
                    .ifPresent(value -> builder.environment().put(variable, value));
        }
        return builder;
    }

    /** Runs words until they succeed, for some minutes, in a process that outlives this one. */
    public void runLater(List<String> words) {
        List<String> all = new ArrayList<>(List.of("/bin/sh", "-c", AGAIN, "fiber-" + name.backend() + "-later"));
        all.addAll(words);
        startLast(builder(all, Path.of("/bin/sh")));
    }

    /** Starts a process that outlives this one, and logs if it cannot be started. */
    public static void startLast(ProcessBuilder builder) {
        try {
            builder.directory(new File("/"))
                    .redirectInput(new File("/dev/null"))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            System.getLogger(LocalCommands.class.getName())
                    .log(System.Logger.Level.WARNING, "This command must be run by hand: " + builder.command(), e);
        }
    }

    /** Starts a program without waiting for it; all its output goes to a file. */
    public Process start(List<String> words, Path errors) throws IOException {
        Path file = found(words.get(0));
        Process process = builder(words, file)
                .redirectErrorStream(true)
                .redirectOutput(errors.toFile())
                .start();
        process.getOutputStream().close();
        return process;
    }

    private void await(Process process, Command command) {
        try {
            if (process.waitFor(command.limit().toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
            throw new BackendUnavailableException("FBR-130 " + name.shown() + " does not answer: '" + command.program()
                    + "' has not ended within " + command.limit().toMillis()
                    + " ms. Running jobs go on; Fiber asks again.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackendUnavailableException(
                    "FBR-130 The wait for '" + command.program() + "' was interrupted.", e);
        } finally {
            process.destroyForcibly();
        }
    }

    private boolean isNotInherited(String variable) {
        return variable.equals(JobSpec.BOOTSTRAP_VARIABLE)
                || !surroundings.inherited().test(variable);
    }

    BatchName name() {
        return name;
    }

    /**
     * Returns the words with the path of the program's file, for use with another PATH. A program that is not on the PATH
     * here, such as {@code rm} where the PATH has only those of the system, is left to that other PATH.
     */
    List<String> resolved(List<String> words) {
        List<String> all = new ArrayList<>(words);
        if (!all.isEmpty()) {
            find(all.get(0), surroundings.environment()).ifPresent(file -> all.set(0, file.toString()));
        }
        return List.copyOf(all);
    }

    private Path found(String program) {
        return find(program, surroundings.environment())
                .orElseThrow(() -> notFound(name, program, surroundings.environment()));
    }
}
