// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pipe;
import io.fiber.examples.BalancedPole.Step;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Environments in processes of their own that step together, over a pipe each. */
public final class VectorEnv implements AutoCloseable {
    private final List<Connection<Command, Step>> environments = new ArrayList<>();
    private final List<FiberProcess> processes = new ArrayList<>();

    VectorEnv(Fiber fiber, int count) {
        for (int i = 0; i < count; i++) {
            int seed = i;
            Pipe<Command, Step> pipe = fiber.pipe();
            Connection<Step, Command> end = pipe.second();
            environments.add(pipe.first());
            processes.add(fiber.process(() -> serve(end, new CartPole(seed))));
        }
    }

    private enum Command {
        LEFT,
        RIGHT,
        RESET
    }

    /** Answers commands until the other end closes. */
    private static void serve(Connection<Step, Command> end, BalancedPole pole) {
        try (end) {
            while (true) {
                end.send(
                        switch (end.receive()) {
                            case LEFT -> pole.step(0);
                            case RIGHT -> pole.step(1);
                            case RESET -> begin(pole);
                        });
            }
        } catch (EndOfStreamException e) {
            // The vector was closed.
        }
    }

    private static Step begin(BalancedPole pole) {
        double[] state = pole.reset();
        return new Step(state[0], state[1], state[2], state[3], 0, false);
    }

    /** Sends all commands, then waits for all answers. */
    List<Step> step(List<Command> commands) {
        for (int i = 0; i < commands.size(); i++) {
            environments.get(i).send(commands.get(i));
        }
        return environments.stream().map(Connection::receive).toList();
    }

    @Override
    public void close() {
        environments.forEach(Connection::close);
        processes.forEach(FiberProcess::join);
    }

    /** The cart follows the pole. */
    private static Command next(Step last) {
        if (last.done()) {
            return Command.RESET;
        }
        return last.angle() > 0 ? Command.RIGHT : Command.LEFT;
    }

    public static void main(String[] args) {
        int count = 4;
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        int episodes = 0;
        try (Fiber fiber = Fiber.open();
                VectorEnv vector = new VectorEnv(fiber, count)) {
            List<Step> answers = vector.step(Collections.nCopies(count, Command.RESET));
            for (int n = 0; n < steps; n++) {
                answers = vector.step(answers.stream().map(VectorEnv::next).toList());
                episodes += (int) answers.stream().filter(Step::done).count();
            }
        }
        System.out.printf("%d environments, %d steps each, %d episodes%n", count, steps, episodes);
    }
}
