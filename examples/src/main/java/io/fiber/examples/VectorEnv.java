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
import java.util.stream.IntStream;

/** Environments in processes of their own that step together, over a pipe each. */
public final class VectorEnv implements AutoCloseable {
    private final List<Connection> environments = new ArrayList<>();
    private final List<FiberProcess> processes = new ArrayList<>();

    VectorEnv(Fiber fiber, int count) {
        for (int i = 0; i < count; i++) {
            int seed = i;
            Pipe pipe = fiber.pipe();
            Connection end = pipe.second();
            environments.add(pipe.first());
            processes.add(fiber.process(() -> serve(end, new CartPole(seed))));
        }
    }

    /** Answers an action by a step and anything else by a new episode, until the other end closes. */
    static void serve(Connection end, BalancedPole pole) {
        try (end) {
            while (true) {
                Object command = end.receive();
                end.send(command instanceof Integer action ? pole.step(action) : pole.reset());
            }
        } catch (EndOfStreamException e) {
            // The vector was closed.
        }
    }

    double[] reset(int environment) {
        environments.get(environment).send("reset");
        return environments.get(environment).receive();
    }

    /** Sends all actions, then waits for all answers. */
    List<Step> step(int[] actions) {
        for (int i = 0; i < actions.length; i++) {
            environments.get(i).send(actions[i]);
        }
        return environments.stream().map(Connection::<Step>receive).toList();
    }

    @Override
    public void close() {
        environments.forEach(Connection::close);
        processes.forEach(FiberProcess::join);
    }

    public static void main(String[] args) {
        int count = 4;
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 1_000;
        int episodes = 0;
        try (Fiber fiber = Fiber.open();
                VectorEnv vector = new VectorEnv(fiber, count)) {
            int[] actions = new int[count];
            IntStream.range(0, count).forEach(vector::reset);
            for (int n = 0; n < steps; n++) {
                List<Step> answers = vector.step(actions);
                for (int i = 0; i < count; i++) {
                    boolean done = answers.get(i).done();
                    episodes += done ? 1 : 0;
                    actions[i] = (done ? vector.reset(i)[2] : answers.get(i).angle()) > 0 ? 1 : 0;
                }
            }
        }
        System.out.printf("%d environments, %d steps each, %d episodes%n", count, steps, episodes);
    }
}
