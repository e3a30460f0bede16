// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The page {@code docs/slurm.md} and what it takes for granted: the program's own jar beside those in {@code lib}. */
final class Manual {

    static final String PAGE = "slurm.md";

    /** How the snippets begin that tests run. */
    static final String ON_A_LOGIN_NODE = "FIBER_BACKEND=slurm FIBER_SLURM_PARTITION=";

    static final String JOB = "#!/bin/bash\n#SBATCH --job-name=pi ";
    static final String REQUEUED_JOB = "#!/bin/bash\n#SBATCH --job-name=sweep ";
    static final String RESTARTED = "fiber run --backend slurm --detach --time-limit 4h --restarts 20 ";
    static final String FROM_OUTSIDE = "FIBER_BACKEND=slurm FIBER_SLURM_SSH_HOST=";
    static final String LOOK = "ssh cluster ";
    static final String CONFIGURATION = "# ~/.ssh/config\n";

    private static final Pattern SNIPPET = Pattern.compile("```(?:bash)?\\n(.*?)```", Pattern.DOTALL);

    private Manual() {}

    /** Returns the snippets of a page that are no Java. */
    static List<String> snippets(String page) {
        return SNIPPET.matcher(page).results().map(found -> found.group(1)).toList();
    }

    /** Returns a snippet of the page that {@link TestCluster} has put beside the class path of this JVM. */
    static String snippet(String beginning) throws IOException {
        Path page = Path.of(System.getProperty("java.io.tmpdir"), "lib", PAGE);
        return snippets(Files.readString(page)).stream()
                .filter(snippet -> snippet.startsWith(beginning))
                .findFirst()
                .orElseThrow();
    }

    /** Lays out the jars as the manual says. */
    static void layOut(Path directory) throws IOException {
        Path library = Files.createDirectory(directory.resolve("lib"));
        int number = 0;
        for (String entry : System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1)) {
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
