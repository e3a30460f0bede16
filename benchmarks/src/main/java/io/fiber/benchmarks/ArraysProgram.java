// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.Fiber;
import io.fiber.Pool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Moves 512 MB of arrays to a worker or back, once for each line of standard input that says which, answered with a line
 * {@code RESULT} and the seconds. The Python program beside it, {@code arrays_peer.py}, does the same by the same steps.
 */
public final class ArraysProgram {

    private static final int ARRAYS = 8;
    private static final int DOUBLES = 8_000_000;
    private static final double NS_PER_S = 1e9;

    private ArraysProgram() {}

    /** Runs the tests that standard input names. */
    public static void main(String[] args) throws IOException {
        List<double[]> arrays =
                Stream.generate(ArraysProgram::array).limit(ARRAYS).toList();
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(1)) {
            for (String test = commands.readLine(); test != null; test = commands.readLine()) {
                long beginNs = System.nanoTime();
                int moved = switch (test) {
                    case "there" ->
                        pool.map(array -> array.length, arrays).stream()
                                .mapToInt(Integer::intValue)
                                .sum();
                    case "back" ->
                        pool.map(i -> array(), IntStream.range(0, ARRAYS)).stream()
                                .mapToInt(array -> array.length)
                                .sum();
                    default -> throw new IllegalArgumentException("There is no test '" + test + "'.");
                };
                double seconds = (System.nanoTime() - beginNs) / NS_PER_S;
                if (moved != ARRAYS * DOUBLES) {
                    throw new IllegalStateException(moved + " numbers came, not " + ARRAYS * DOUBLES + ".");
                }
                System.out.printf(Locale.ROOT, "RESULT %.9f%n", seconds);
            }
        }
    }

    private static double[] array() {
        double[] array = new double[DOUBLES];
        Arrays.fill(array, 1);
        return array;
    }
}
