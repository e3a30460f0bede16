// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.Retry;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Tries learning rates and batch sizes on Fisher's irises and prints the best so far. Argument: [steps]. */
public final class HyperparameterSearch {
    private HyperparameterSearch() {}

    record Trial(float rate, int batch, int steps) implements Serializable {}

    record Score(Trial trial, double loss) implements Serializable {}

    /** Learns from every second flower, and is scored by the others. */
    static Score train(Trial trial) throws IOException {
        List<Iris> irises = Iris.all();
        SplittableRandom random = new SplittableRandom(1);
        float[] weights = new float[Iris.SPECIES.size() * Iris.INPUTS];
        for (int step = 0; step < trial.steps(); step++) {
            float[] gradient = new float[weights.length + 1];
            for (int i = 0; i < trial.batch(); i++) {
                RingSgd.learn(irises.get(2 * random.nextInt(irises.size() / 2)), weights, gradient);
            }
            for (int i = 0; i < weights.length; i++) {
                weights[i] -= trial.rate() * gradient[i] / trial.batch();
            }
        }
        float[] loss = new float[weights.length + 1];
        for (int i = 1; i < irises.size(); i += 2) {
            RingSgd.learn(irises.get(i), weights, loss);
        }
        return new Score(trial, 2.0 * loss[weights.length] / irises.size());
    }

    public static void main(String[] args) {
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
        List<Trial> trials = new ArrayList<>();
        for (float rate : new float[] {0.001f, 0.01f, 0.1f, 0.5f, 1, 2}) {
            for (int batch : new int[] {1, 4, 16, 64}) {
                trials.add(new Trial(rate, batch, steps));
            }
        }
        CallOptions options = CallOptions.defaults()
                .retry(Retry.times(2).on(IOException.class))
                .deadline(Duration.ofMinutes(1))
                .progress(progress -> System.err.print("\r" + progress.done() + " of " + trials.size() + " trials "));
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(4)) {
            Score best = pool.with(options)
                    .imapUnordered(HyperparameterSearch::train, trials)
                    .reduce(new Score(trials.get(0), Double.MAX_VALUE), HyperparameterSearch::better);
            System.out.println("best of all: rate " + best.trial().rate() + ", batches of "
                    + best.trial().batch());
        }
    }

    private static Score better(Score best, Score next) {
        if (!(next.loss() < best.loss())) {
            return best;
        }
        System.out.printf("loss %.4f with %s%n", next.loss(), next.trial());
        return next;
    }
}
