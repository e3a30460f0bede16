// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of docs/slurm.md, as it stands there. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmExampleKit {

    /** Where {@link TestCluster} puts the page. */
    static final String PAGE = "slurm.md";

    @TempDir
    Path directory;

    @Test
    void scriptOfTheManualEstimatesPi() throws IOException {
        String page = Files.readString(Path.of(System.getProperty("java.io.tmpdir"), "lib", PAGE));
        int begin = page.indexOf("#!/bin/bash");
        Files.writeString(directory.resolve("pi.sh"), page.substring(begin, page.indexOf("```", begin)));
        layOut();

        Cluster.run("env", "-C", directory.toString(), "sbatch", "--wait", "--output=pi.out", "pi.sh");

        List<String> lines = Files.readAllLines(directory.resolve("pi.out"));
        assertThat(lines).as("what the job wrote").anyMatch(line -> line.startsWith("Pi is roughly 3.14"));
    }

    /** Lays out the jars as the manual says: the program's own beside {@code lib}. */
    private void layOut() throws IOException {
        Path library = Files.createDirectory(directory.resolve("lib"));
        int number = 0;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path from = Path.of(entry);
            boolean isProgram = from.toString().contains("fiber-examples")
                    || Files.exists(from.resolve("io/fiber/examples/PiEstimation.class"));
            Path jar = isProgram
                    ? directory.resolve("fiber-examples.jar")
                    : library.resolve(number++ + "-" + from.getFileName() + ".jar");
            if (Files.isDirectory(from)) {
                pack(from, jar);
            } else {
                Files.copy(from, jar);
            }
        }
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                Files.copy(each, out);
                out.closeEntry();
            }
        }
    }
}
