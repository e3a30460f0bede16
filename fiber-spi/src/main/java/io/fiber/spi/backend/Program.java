// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a job runs, as fields from which the backend builds a command. */
public sealed interface Program {

    /**
     * A program in any language.
     *
     * @param words the program and its arguments, not interpreted by a shell; at least the program
     */
    record Command(List<String> words) implements Program {
        public Command {
            words = List.copyOf(words);
            if (words.isEmpty() || words.get(0).isBlank()) {
                throw new IllegalArgumentException("A command needs a program as its first word; it is " + words + ".");
            }
        }
    }

    /**
     * A Java program.
     *
     * @param executable the {@code java} to run. Empty for the default at the job's host: this JVM's own if files are
     *     shared, otherwise the {@code java} of the image
     * @param jvmOptions options before the main class. A backend puts the options for resources ({@code -Xmx}) in front
     *     of them, so these override them
     * @param classPath entries as this host names them; may be empty
     * @param modulePath entries as this host names them; may be empty
     * @param main {@code package.Class}, or {@code module/package.Class} on the module path
     * @param arguments arguments of the main class
     */
    record Java(
            Optional<String> executable,
            List<String> jvmOptions,
            List<String> classPath,
            List<String> modulePath,
            String main,
            List<String> arguments)
            implements Program {
        public Java {
            requireNonNull(executable, "executable");
            jvmOptions = List.copyOf(jvmOptions);
            classPath = List.copyOf(classPath);
            modulePath = List.copyOf(modulePath);
            requireNonNull(main, "main");
            arguments = List.copyOf(arguments);
        }

        /**
         * Returns the command line in its canonical order: executable, {@code extraJvmOptions}, JVM options, paths,
         * main class, arguments.
         *
         * @param java the executable to run if this program names none
         * @param extraJvmOptions what the backend adds in front of the program's own options
         * @param pathSeparator separator of class path entries on the job's host
         */
        public List<String> commandLine(String java, List<String> extraJvmOptions, String pathSeparator) {
            List<String> words = new ArrayList<>();
            words.add(executable.orElse(java));
            words.addAll(extraJvmOptions);
            words.addAll(jvmOptions);
            if (!modulePath.isEmpty()) {
                words.add("--module-path");
                words.add(String.join(pathSeparator, modulePath));
            }
            if (!classPath.isEmpty()) {
                words.add("-cp");
                words.add(String.join(pathSeparator, classPath));
            }
            if (main.contains("/")) {
                words.add("-m");
            }
            words.add(main);
            words.addAll(arguments);
            return List.copyOf(words);
        }
    }
}
