// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import io.fiber.spi.backend.BackendException;
import java.util.List;
import java.util.function.Supplier;

/** Remembers what the last command has met, for who must say why something did not come about. Thread-safe. */
final class NotedCommands implements Commands {

    private final Commands commands;
    private volatile String last = "Slurm was not asked";

    NotedCommands(Commands commands) {
        this.commands = commands;
    }

    /** Returns in words how the last command went. */
    String last() {
        return last;
    }

    @Override
    public Answer run(Command command) {
        return noted(command, () -> commands.run(command));
    }

    @Override
    public Answer runAll(List<Command> all) {
        return noted(all.get(0), () -> commands.runAll(all));
    }

    private Answer noted(Command command, Supplier<Answer> answers) {
        try {
            Answer answer = answers.get();
            last = answer.isGood()
                    ? "the last '" + command.program() + "' went well"
                    : "the last '" + command.program() + "' ended with " + answer.exitCode() + ": "
                            + answer.complaint();
            return answer;
        } catch (BackendException e) {
            last = "the last '" + command.program() + "' met: " + e.getMessage();
            throw e;
        }
    }
}
