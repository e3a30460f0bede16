// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.examples.HyperparameterSearch.Score;
import io.fiber.examples.HyperparameterSearch.Trial;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A sweep that outlives its program: run it again after whatever stopped it, and it goes on where it was. Writes a table of
 * all results at the end. Arguments: [table] [steps]; the journal is beside the table.
 */
public final class Sweep {
    private Sweep() {}

    private static List<Trial> candidates(int steps) {
        List<Trial> trials = new ArrayList<>();
        for (int rate = 1; rate <= 20; rate++) {
            for (int batch = 1; batch <= 64; batch *= 2) {
                trials.add(new Trial(rate * 0.1f, batch, steps));
            }
        }
        return trials;
    }

    public static void main(String[] args) throws IOException {
        Path table = Path.of(args.length > 0 ? args[0] : "sweep.csv");
        int steps = args.length > 1 ? Integer.parseInt(args[1]) : 20_000;
        CallOptions durable = CallOptions.defaults().journal(Path.of(table + ".journal"));
        List<String> lines = new ArrayList<>(List.of("rate,batch,loss"));
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(4)) {
            List<Score> scores = pool.with(durable).map(HyperparameterSearch::train, candidates(steps));
            for (Score score : scores) {
                lines.add(score.trial().rate() + "," + score.trial().batch() + "," + score.loss());
            }
        }
        Files.write(table, lines);
        System.out.println("wrote " + (lines.size() - 1) + " scores to " + table);
    }
}
