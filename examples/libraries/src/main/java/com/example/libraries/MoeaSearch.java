// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.moeaframework.Executor;
import org.moeaframework.core.NondominatedPopulation;
import org.moeaframework.core.Solution;
import org.moeaframework.core.variable.EncodingUtils;
import org.moeaframework.problem.AbstractProblem;

/** A search of the MOEA Framework for the best compromises between two objectives, which are computed in workers. */
public final class MoeaSearch {
    private static final int WORKERS = 2;

    private MoeaSearch() {}

    /** Stands for a costly function: Schaffer's, whose best compromises lie between 0 and 2. */
    static double[] objectives(double[] x) {
        return new double[] {x[0] * x[0], (x[0] - 2) * (x[0] - 2)};
    }

    /** The problem stays here: only numbers travel. */
    private static final class Schaffer extends AbstractProblem {
        private final Function<double[], double[]> objectives;

        Schaffer(Function<double[], double[]> objectives) {
            super(1, 2);
            this.objectives = objectives;
        }

        @Override
        public void evaluate(Solution solution) {
            solution.setObjectives(objectives.apply(EncodingUtils.getReal(solution)));
        }

        @Override
        public Solution newSolution() {
            Solution solution = new Solution(1, 2);
            solution.setVariable(0, EncodingUtils.newReal(-10, 10));
            return solution;
        }
    }

    public static void main(String[] args) {
        ExecutorService threads = Executors.newFixedThreadPool(2 * WORKERS);
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(WORKERS)) {
            NondominatedPopulation best = new Executor()
                    .withProblem(new Schaffer(pool.remote(MoeaSearch::objectives)))
                    .withAlgorithm("NSGAII")
                    .withMaxEvaluations(1000)
                    .distributeWith(threads)
                    .run();
            for (Solution solution : best) {
                double x = EncodingUtils.getReal(solution)[0];
                Check.that(x > -0.5 && x < 2.5, "a value between 0 and 2, not " + x);
            }
            System.out.println(best.size() + " compromises");
            Check.that(best.size() > 10, "more than 10 compromises");
            Check.ranInWorkers(pool, 1000);
        } finally {
            threads.shutdown();
        }
    }
}
