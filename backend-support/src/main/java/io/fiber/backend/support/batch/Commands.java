// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Runs the programs of a batch system where they are: on this host, or on a login node. Thread-safe. */
public interface Commands {

    /**
     * Maximum number of characters of arguments in one line: a quarter of what the shell of a login node accepts as one
     * word.
     */
    int LONGEST_LINE = 32 * 1024;

    /**
     * A command to run.
     *
     * @param words program and arguments, not interpreted by a shell
     * @param input its standard input
     * @param limit the time after which it is ended
     */
    record Command(List<String> words, String input, Duration limit) {
        public Command {
            words = List.copyOf(words);
        }

        /** Returns a command without input. */
        public static Command of(Duration limit, List<String> words) {
            return new Command(words, "", limit);
        }

        /** Returns the name of the program. */
        public String program() {
            return words.get(0);
        }

        /**
         * Returns whether a job inherits the environment of this program, for example the user's language. A program with
         * input reads a script from it, and submits the script.
         */
        public boolean handsOnItsSurroundings() {
            return !input.isEmpty();
        }
    }

    /** The result of a program. */
    record Answer(int exitCode, String output, String errors) {

        /** Returns whether the exit code is 0. */
        public boolean isGood() {
            return exitCode == 0;
        }

        /** Returns the error output in one line. */
        public String complaint() {
            String text = errors.isBlank() ? output : errors;
            return String.join(" / ", text.strip().lines().map(String::strip).toList());
        }
    }

    /**
     * Runs a program to its end, and blocks meanwhile.
     *
     * @throws BackendUnavailableException if it did not end within its limit
     * @throws BackendException if there is no such program
     */
    Answer run(Command command);

    /**
     * Runs a command with many more arguments, several times if they are too long for one line.
     *
     * @return as {@link #runAll} does
     */
    default Answer runWith(Command command, Collection<String> arguments) {
        List<Command> commands = new ArrayList<>();
        List<String> words = new ArrayList<>(command.words());
        int length = 0;
        for (String argument : arguments) {
            if (length > 0 && length + argument.length() > LONGEST_LINE) {
                commands.add(new Command(words, command.input(), command.limit()));
                words = new ArrayList<>(command.words());
                length = 0;
            }
            words.add(argument);
            length += argument.length() + 1;
        }
        commands.add(new Command(words, command.input(), command.limit()));
        return runAll(commands);
    }

    /**
     * Runs programs one after the other, even if one of them fails.
     *
     * @return the first exit code that is not 0, if there is one, and the output of all
     */
    default Answer runAll(List<Command> commands) {
        int exitCode = 0;
        StringBuilder output = new StringBuilder();
        StringBuilder errors = new StringBuilder();
        for (Command command : commands) {
            Answer answer = run(command);
            exitCode = exitCode == 0 ? answer.exitCode() : exitCode;
            output.append(answer.output());
            errors.append(answer.errors());
        }
        return new Answer(exitCode, output.toString(), errors.toString());
    }
}
