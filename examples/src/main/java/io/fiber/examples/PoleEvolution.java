// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Broadcast;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.examples.BalancedPole.Step;
import java.io.Serializable;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Evolves a linear policy that balances a pole: 2,048 neighbours a generation, noise from one table a host. */
public final class PoleEvolution {
    private static final int POPULATION = 2_048;
    private static final int WEIGHTS = 4;
    private static final int TABLE = 1 << 20;
    private static final double SIGMA = 0.5;
    private static final double STEP = 2.0 / POPULATION;

    private PoleEvolution() {}

    record Trial(int offset, double reward) implements Serializable {}

    static FloatBuffer table(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FloatBuffer table = FloatBuffer.allocate(TABLE);
        while (table.hasRemaining()) {
            table.put((float) random.nextGaussian());
        }
        return table.flip();
    }

    static double balance(double[] weights, long seed) {
        CartPole pole = new CartPole(seed);
        double[] seen = pole.reset();
        for (int steps = 1; ; steps++) {
            double sum = seen[0] * weights[0] + seen[1] * weights[1] + seen[2] * weights[2] + seen[3] * weights[3];
            Step step = pole.step(sum > 0 ? 1 : 0);
            if (step.done()) {
                return steps;
            }
            seen = new double[] {step.position(), step.velocity(), step.angle(), step.angularVelocity()};
        }
    }

    static Trial attempt(double[] weights, FloatBuffer noise, long seed) {
        int offset = new SplittableRandom(seed).nextInt(TABLE - WEIGHTS);
        double[] neighbour = new double[WEIGHTS];
        Arrays.setAll(neighbour, i -> weights[i] + SIGMA * noise.get(offset + i));
        return new Trial(offset, balance(neighbour, seed));
    }

    public static void main(String[] args) {
        int generations = args.length > 0 ? Integer.parseInt(args[0]) : 10;
        double[] weights = new double[WEIGHTS];
        try (Fiber fiber = Fiber.open();
                Broadcast<FloatBuffer> noise = fiber.broadcast(table(1));
                Pool pool = fiber.pool(2)) {
            for (int n = 0; n < generations; n++) {
                long first = (long) n * POPULATION;
                List<Trial> trials = pool.map(
                        seed -> attempt(weights, noise.get(), seed), LongStream.range(first, first + POPULATION));
                double mean = trials.stream().mapToDouble(Trial::reward).sum() / POPULATION;
                for (Trial trial : trials) {
                    for (int i = 0; i < WEIGHTS; i++) {
                        weights[i] +=
                                STEP * (trial.reward() / mean - 1) * noise.get().get(trial.offset() + i);
                    }
                }
                System.out.printf("generation %d: %.1f steps%n", n, mean);
            }
        }
    }
}
