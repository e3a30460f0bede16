// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.BackendException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Remembers the result of the last command and which commands have no answer yet, for messages that say why something
 * did not happen. Thread-safe.
 */
public final class NotedCommands implements Commands {

    private final Commands commands;
    private final Map<Command, Long> beganNs = new ConcurrentHashMap<>();
    private volatile String last;

    /** Creates it in front of the commands of a batch system. */
    public NotedCommands(Commands commands, BatchName name) {
        this.commands = commands;
        this.last = name.shown() + " was not asked";
    }

    /** Returns in words how the last command went, and before it the command that has waited longest for an answer. */
    public String last() {
        long nowNs = System.nanoTime();
        return beganNs.entrySet().stream()
                        .max(Comparator.comparing(begun -> nowNs - begun.getValue()))
                        .map(begun -> "'" + begun.getKey().program() + "' has not answered for "
                                + TimeUnit.NANOSECONDS.toMillis(nowNs - begun.getValue()) + " ms, ")
                        .orElse("")
                + last;
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
        beganNs.put(command, System.nanoTime());
        try {
            Answer answer = answers.get();
            last = answer.isGood()
                    ? "the last '" + command.program() + "' succeeded"
                    : "the last '" + command.program() + "' ended with " + answer.exitCode() + ": "
                            + answer.complaint();
            return answer;
        } catch (BackendException e) {
            last = "the last '" + command.program() + "' failed: " + e.getMessage();
            throw e;
        } finally {
            beganNs.remove(command);
        }
    }
}
