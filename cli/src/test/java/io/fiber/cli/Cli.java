// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command as a process of its own, as a shell starts it. Each {@code with} method returns a changed copy. */
record Cli(Path directory, List<String> place, Map<String, String> variables, String jars) {

    /** What came of it. */
    record Result(int code, String out, String err) {

        /** Returns the output with each finding of the doctor in a line of its own, however long. */
        String unwrapped() {
            return out.replaceAll("\\n {24,27}(?!-> )", " ");
        }
    }

    /** A command that works in this directory, which must be empty. */
    static Cli in(Path directory) {
        return new Cli(
                directory,
                List.of(),
                Map.of("XDG_STATE_HOME", directory.resolve("state").toString()),
                classPath());
    }

    Cli with(String variable, String value) {
        Map<String, String> more = new HashMap<>(variables);
        more.put(variable, value);
        return new Cli(directory, place, more, jars);
    }

    /** Has the command started by these words. */
    Cli startedBy(String... words) {
        return new Cli(directory, List.of(words), variables, jars);
    }

    /** Has the command on another class path. */
    Cli from(String classPath) {
        return new Cli(directory, place, variables, classPath);
    }

    Result run(String... arguments) throws IOException, InterruptedException {
        Path out = Files.createTempFile(directory, "stdout", ".txt");
        Path err = Files.createTempFile(directory, "stderr", ".txt");
        Process process = builder(arguments)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        try {
            int code = process.waitFor();
            return new Result(code, Files.readString(out), Files.readString(err));
        } finally {
            process.destroyForcibly();
        }
    }

    ProcessBuilder builder(String... arguments) {
        List<String> words = new ArrayList<>(place);
        // Tests that run in the background of a script ignore Ctrl-C, and so would what they start.
        words.addAll(List.of("env", "--default-signal=INT,HUP"));
        words.add(java());
        // As the command's launcher has it.
        int tier = arguments.length > 0 && arguments[0].equals("cp") ? 4 : 1;
        words.addAll(List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=" + tier));
        words.addAll(List.of("-cp", jars, FiberCommand.class.getName()));
        words.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(words).directory(directory.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("FIBER_") || name.startsWith("DOCKER_"));
        builder.environment().putAll(variables);
        return builder;
    }

    static void signal(String name, long pid) throws IOException, InterruptedException {
        new ProcessBuilder("/bin/sh", "-c", "kill -s " + name + " " + pid)
                .start()
                .waitFor();
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** The class path of the command, which is absolute: that of this test, without Aeron. */
    static String classPath() {
        return Stream.of(classPathWithAeron().split(File.pathSeparator, -1))
                .filter(entry ->
                        !entry.matches(".*/(aeron-[^/]*\\.jar|fiber-transport-aeron-[^/]*\\.jar|transport-aeron/.*)"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The same of a command, or a program, that has the transport {@code aeron}, too. */
    static String classPathWithAeron() {
        return System.getProperty("java.class.path");
    }

    /** Tells whether this command can be started by its words here: some users may not make a network or mount a file system. */
    boolean canBeStarted() {
        List<String> words = new ArrayList<>(place);
        words.add("true");
        try {
            return new ProcessBuilder(words)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Returns an executable of this host, empty when it is not there. */
    static Optional<Path> program(String path) {
        return Optional.of(Path.of(path)).filter(Files::isExecutable);
    }
}
