// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.jenetics.DoubleGene;
import io.jenetics.Optimize;
import io.jenetics.Phenotype;
import io.jenetics.engine.Codecs;
import io.jenetics.engine.Engine;
import io.jenetics.engine.EvolutionResult;
import io.jenetics.util.DoubleRange;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** A genetic algorithm of Jenetics: selection and crossover run here, the fitness in workers. */
public final class JeneticsSearch {
    private static final int WORKERS = 2;

    private JeneticsSearch() {}

    /** Stands for a costly function: Rastrigin's, whose minimum is 0. */
    static double fitness(double[] x) {
        double sum = 10 * x.length;
        for (double each : x) {
            sum += each * each - 10 * Math.cos(2 * Math.PI * each);
        }
        return sum;
    }

    public static void main(String[] args) {
        ExecutorService threads = Executors.newFixedThreadPool(2 * WORKERS);
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            Function<double[], Double> fitness = pool.remote(JeneticsSearch::fitness);
            Engine<DoubleGene, Double> engine = Engine.builder(fitness, Codecs.ofVector(DoubleRange.of(-5.12, 5.12), 3))
                    .optimize(Optimize.MINIMUM)
                    .executor(threads)
                    .build();
            Phenotype<DoubleGene, Double> best = engine.stream().limit(50).collect(EvolutionResult.toBestPhenotype());
            System.out.println(best);
            Check.that(best.fitness() < 10, "a fitness near 0, not " + best.fitness());
            Check.ranInWorkers(pool, 500);
        } finally {
            threads.shutdown();
        }
    }
}
