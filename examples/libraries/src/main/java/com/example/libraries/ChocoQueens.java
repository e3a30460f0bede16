// SPDX-License-Identifier: Apache-2.0
package com.example.libraries;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.util.stream.IntStream;
import org.chocosolver.solver.Model;
import org.chocosolver.solver.variables.IntVar;

/** Counts the solutions of a puzzle with Choco: each worker searches below a choice for the first variable. */
public final class ChocoQueens {
    private static final int SIZE = 9;

    private ChocoQueens() {}

    /** Models and solvers are not serializable: a worker makes its own. */
    static long solutions(int first) {
        Model model = new Model();
        IntVar[] rows = model.intVarArray("row", SIZE, 0, SIZE - 1);
        model.allDifferent(rows).post();
        model.allDifferent(shifted(model, rows, 1)).post();
        model.allDifferent(shifted(model, rows, -1)).post();
        model.arithm(rows[0], "=", first).post();
        return model.getSolver().streamSolutions().count();
    }

    private static IntVar[] shifted(Model model, IntVar[] rows, int sign) {
        return IntStream.range(0, rows.length)
                .mapToObj(column -> model.offset(rows[column], sign * column))
                .toArray(IntVar[]::new);
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(2)) {
            long solutions = pool.mapReduce(ChocoQueens::solutions, IntStream.range(0, SIZE), 0L, Long::sum);
            System.out.println(solutions + " ways to place " + SIZE + " queens");
            Check.that(solutions == 352, "352 solutions, not " + solutions);
            Check.ranInWorkers(pool, SIZE);
        }
    }
}
