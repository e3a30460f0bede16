// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static java.util.Comparator.comparingDouble;

import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.function.RemoteFunction;
import java.io.Serializable;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Estimates a density at the origin from 10,000 points of a plane, with windows of 102 widths: a task for each width. */
public final class ParzenEstimation {
    private static final int POINTS = 10_000;

    private ParzenEstimation() {}

    record Estimate(double width, double density) implements Serializable {}

    static Estimate estimate(double[] xs, double[] ys, double width) {
        long inside = IntStream.range(0, xs.length)
                .filter(i -> Math.abs(xs[i]) <= width / 2 && Math.abs(ys[i]) <= width / 2)
                .count();
        return new Estimate(width, inside / (xs.length * width * width));
    }

    public static void main(String[] args) {
        Random random = new Random(123);
        double[] xs = Stream.generate(random::nextGaussian)
                .limit(POINTS)
                .mapToDouble(x -> x)
                .toArray();
        double[] ys = Stream.generate(random::nextGaussian)
                .limit(POINTS)
                .mapToDouble(y -> y)
                .toArray();
        RemoteFunction<Double, Estimate> task = width -> estimate(xs, ys, width);

        try (Fiber fiber = Fiber.open();
                Pool pool = fiber.pool(4)) {
            List<CompletableFuture<Estimate>> futures = IntStream.rangeClosed(1, 102)
                    .mapToObj(tenths -> pool.applyAsync(task, tenths / 10.0))
                    .toList();
            futures.stream()
                    .map(CompletableFuture::join)
                    .sorted(comparingDouble(Estimate::width))
                    .forEach(each -> System.out.printf("width %4.1f  density %.5f%n", each.width(), each.density()));
            System.out.printf("true density is %.5f%n", 1 / (2 * Math.PI));
        }
    }
}
