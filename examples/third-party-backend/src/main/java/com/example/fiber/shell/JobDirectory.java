// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.shell;

import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The files of a job: {@code run} is what the starter runs, {@code bootstrap} what the program reads first, and
 * {@code group} has the number of its process group.
 *
 * @param path of the directory
 * @param log what the program writes
 */
record JobDirectory(Path path, Path log) {

    /** Makes the directory of a job below {@code parent}. */
    static JobDirectory make(Path parent, JobSpec spec, Submission.Instance instance) throws IOException {
        Path path = Files.createDirectory(parent.resolve(instance.name()));
        Path log = path.resolve("output");
        if (spec.output() instanceof JobOutput.Files files) {
            Files.createDirectories(files.directory());
            log = files.directory().resolve(instance.name() + ".log");
        }
        JobDirectory directory = new JobDirectory(path, log);
        Path bootstrap = path.resolve("bootstrap");
        boolean isBootstrapped = instance.bootstrap().length() > 0;
        if (isBootstrapped) {
            Files.createFile(
                    bootstrap, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.write(bootstrap, instance.bootstrap().copyBytes());
        }
        Files.writeString(path.resolve("run"), directory.script(spec, isBootstrapped));
        return directory;
    }

    private String script(JobSpec spec, boolean isBootstrapped) {
        List<String> words = new ArrayList<>(List.of("exec", "env"));
        spec.environment().forEach((name, value) -> words.add(quoted(name + "=" + value)));
        if (isBootstrapped) {
            words.add(quoted(JobSpec.BOOTSTRAP_VARIABLE + "=file:" + path.resolve("bootstrap")));
        }
        commandLine(spec.program()).forEach(word -> words.add(quoted(word)));
        String cd = spec.workingDirectory()
                .map(directory -> "cd " + quoted(directory.toString()) + " || exit 126\n")
                .orElse("");
        return "exec >> " + quoted(log.toString()) + " 2>&1\n"
                + cd
                + "echo $$ > " + quoted(path.resolve("group").toString()) + "\n"
                + "echo running " + quoted(path.toString()) + " >&3\n"
                + String.join(" ", words) + " 3>&-\n";
    }

    private static List<String> commandLine(Program program) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return program instanceof Program.Java javaProgram
                ? javaProgram.commandLine(java, List.of(), ":")
                : ((Program.Command) program).words();
    }

    /** In single quotes a shell changes nothing; a single quote itself stands between them. */
    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /** Returns the last lines of what the program wrote. */
    List<String> lastLines(int count) throws IOException {
        if (!Files.exists(log)) {
            return List.of();
        }
        String text = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
        List<String> lines = text.lines().collect(Collectors.toList());
        return List.copyOf(lines.subList(Math.max(0, lines.size() - count), lines.size()));
    }

    /** Removes a directory with all that is in it. */
    static void delete(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException failure) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
