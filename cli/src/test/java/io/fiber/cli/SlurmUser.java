// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The one who submits jobs on a cluster of {@code dev/slurm/up}, with a directory that all nodes see. He need not see this
 * checkout nor the repository of Maven.
 *
 * @param name his name
 * @param configuration the file that SLURM_CONF names
 * @param directory his
 */
record SlurmUser(String name, Path configuration, Path directory) implements AutoCloseable {

    /** Makes his directory; this process is root. */
    static SlurmUser of(String name, Path configuration) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(words(name));
        words.addAll(List.of("mktemp", "-d", "/var/tmp/fiber-cli-XXXXXX"));
        Process process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String made = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as("end of mktemp").isZero();
        return new SlurmUser(name, configuration, Path.of(made.strip()));
    }

    /** Not {@code runuser}, which stays between a signal and its program. */
    private static List<String> words(String name) {
        return List.of("setpriv", "--reuid=" + name, "--regid=" + name, "--init-groups", "--");
    }

    /** Returns the command of this user. */
    Cli cli() throws IOException {
        return Cli.in(directory)
                .from(copied(Cli.classPath()))
                .with("SLURM_CONF", configuration.toString())
                .with("HOME", directory.toString())
                .startedBy(words(name).toArray(String[]::new));
    }

    /** Copies what is on a class path; returns the class path of the copies. */
    String copied(String classPath) throws IOException {
        Path library = Files.createTempDirectory(directory, "lib");
        Files.setPosixFilePermissions(library, PosixFilePermissions.fromString("rwxr-xr-x"));
        List<String> copies = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            if (Files.exists(from)) {
                Path to = library.resolve(copies.size() + "-" + from.getFileName());
                copy(from, to);
                copies.add(to.toString());
            }
        }
        return String.join(File.pathSeparator, copies);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each : files.toList()) {
                Files.copy(each, to.resolve(from.relativize(each).toString()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    @Override
    public void close() throws IOException {
        TestTrees.remove(directory);
    }
}
