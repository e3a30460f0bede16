// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.Broadcast;
import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import smile.classification.RandomForest;
import smile.data.DataFrame;
import smile.data.formula.Formula;

/** Trains forests of Smile with different settings, each in a worker; the data are sent to each host once. */
public final class SmileForest {
    private SmileForest() {}

    record Score(int trees, int depth, double accuracy) implements Serializable {}

    static Score train(double[][] rows, int trees, int depth) {
        Properties settings = new Properties();
        settings.setProperty("smile.random.forest.trees", String.valueOf(trees));
        settings.setProperty("smile.random.forest.max.depth", String.valueOf(depth));
        DataFrame data = DataFrame.of(rows, "x", "y", "class").factorize("class");
        RandomForest forest = RandomForest.fit(Formula.lhs("class"), data, settings);
        return new Score(trees, depth, forest.metrics().accuracy);
    }

    /** Points in a square; those of a disc are of class 1. */
    private static double[][] disc(Random random) {
        double[][] rows = new double[500][];
        for (int i = 0; i < rows.length; i++) {
            double x = random.nextDouble() * 2 - 1;
            double y = random.nextDouble() * 2 - 1;
            rows[i] = new double[] {x, y, Math.hypot(x, y) < 0.7 ? 1 : 0};
        }
        return rows;
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            Broadcast<double[][]> rows = fiber.broadcast(disc(new Random(7)));
            List<Score> scores = pool.map(depth -> train(rows.get(), 50, depth), List.of(1, 2, 4, 8, 12));
            Score best = scores.stream()
                    .max(Comparator.comparingDouble(Score::accuracy))
                    .orElseThrow();
            System.out.println(scores);
            Check.that(best.accuracy() > 0.9, "an accuracy above 0.9, not " + best);
            Check.ranInWorkers(pool, 5);
        }
    }
}
