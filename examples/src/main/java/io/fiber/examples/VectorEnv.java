// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Connection;
import io.fiber.EndOfStreamException;
import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.Pipe;
import io.fiber.examples.BalancedPole.Step;
import java.util.ArrayList;
import java.util.List;

/** Environments in processes of their own that step together, over a pipe each. */
public final class VectorEnv implements AutoCloseable {
    private final List<Connection<Integer, Step>> environments = new ArrayList<>();
    private final List<FiberProcess> processes = new ArrayList<>();

    VectorEnv(Fiber fiber, int count) {
        for (int i = 0; i < count; i++) {
            int seed = i;
            Pipe<Integer, Step> pipe = fiber.pipe();
            Connection<Step, Integer> end = pipe.second();
            environments.add(pipe.first());
            processes.add(fiber.process(() -> serve(end, new CartPole(seed))));
        }
    }

    /** Answers an action by a step, and begins an episode behind each last step, until the other end closes. */
    private static void serve(Connection<Step, Integer> end, BalancedPole pole) {
        try (end) {
            pole.reset();
            while (true) {
                Step step = pole.step(end.receive());
                end.send(step);
                if (step.done()) {
                    pole.reset();
                }
            }
        } catch (EndOfStreamException e) {
            // The vector was closed.
        }
    }

    /** Sends all actions, then waits for all answers. */
    List<Step> step(List<Integer> actions) {
        for (int i = 0; i < actions.size(); i++) {
            environments.get(i).send(actions.get(i));
        }
        return environments.stream().map(Connection::receive).toList();
    }

    @Override
    public void close() {
        environments.forEach(Connection::close);
        processes.forEach(FiberProcess::join);
    }

    public static void main(String[] args) {
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        List<Integer> actions = List.of(0, 1, 0, 1);
        long episodes = 0;
        try (Fiber fiber = Fiber.open();
                VectorEnv vector = new VectorEnv(fiber, actions.size())) {
            for (int n = 0; n < steps; n++) {
                List<Step> answers = vector.step(actions);
                actions = answers.stream().map(step -> step.angle() > 0 ? 1 : 0).toList();
                episodes += answers.stream().filter(Step::done).count();
            }
        }
        System.out.printf("%d environments, %d steps each, %d episodes%n", actions.size(), steps, episodes);
    }
}
