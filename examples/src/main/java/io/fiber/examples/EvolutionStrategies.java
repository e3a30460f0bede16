// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static java.util.stream.Collectors.averagingDouble;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Finds a vector by evolution strategies: workers try 40 neighbours of a guess, which moves to where it is better. */
public final class EvolutionStrategies {
    private static final double[] SOLUTION = {5, -5, 1.5};
    private static final int POPULATION = 40;
    private static final double SIGMA = 0.1;
    private static final double STEP = 0.05 / (POPULATION * SIGMA);

    private EvolutionStrategies() {}

    record Trial(long seed, double reward) implements Serializable {}

    static double[] noise(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return DoubleStream.generate(random::nextGaussian).limit(3).toArray();
    }

    static Trial attempt(double[] guess, long seed) {
        double reward = 0;
        for (int i = 0; i < guess.length; i++) {
            reward -= Math.pow(guess[i] + SIGMA * noise(seed)[i] - SOLUTION[i], 2);
        }
        return new Trial(seed, reward);
    }

    static void improve(double[] guess, List<Trial> trials) {
        double mean = trials.stream().collect(averagingDouble(Trial::reward));
        double variance = trials.stream().collect(averagingDouble(trial -> Math.pow(trial.reward() - mean, 2)));
        for (Trial trial : trials) {
            for (int i = 0; i < guess.length; i++) {
                guess[i] += STEP * (trial.reward() - mean) / Math.sqrt(variance) * noise(trial.seed())[i];
            }
        }
    }

    public static void main(String[] args) {
        double[] guess = new double[3];
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(args.length > 0 ? Integer.parseInt(args[0]) : 4)) {
            for (long first = 0; first < 200 * POPULATION; first += POPULATION) {
                improve(guess, pool.map(seed -> attempt(guess, seed), LongStream.range(first, first + POPULATION)));
            }
        }
        System.out.println("Found " + Arrays.toString(guess));
    }
}
