// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.AsyncProxy;
import io.fiber.Fiber;
import io.fiber.Manager;
import io.fiber.examples.BalancedPole.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Steps four environments in turn through a manager, then all at once through an asynchronous one. */
public final class AsyncCartPole {
    private static final int ENVIRONMENTS = 4;
    private static final int STEPS = 5_000;
    private static final int WARM_UP = 1_000;

    private AsyncCartPole() {}

    private static double inTurn(List<BalancedPole> poles, int steps) {
        double reward = 0;
        for (int i = 0; i < steps; i++) {
            for (BalancedPole pole : poles) {
                Step step = pole.step(i % 2);
                reward += step.reward();
                if (step.done()) {
                    pole.reset();
                }
            }
        }
        return reward;
    }

    private static double atOnce(List<AsyncProxy<BalancedPole>> poles, int steps) {
        double reward = 0;
        for (int i = 0; i < steps; i++) {
            int action = i % 2;
            List<CompletableFuture<Step>> answers = new ArrayList<>();
            poles.forEach(pole -> answers.add(pole.call(each -> each.step(action))));
            for (int each = 0; each < ENVIRONMENTS; each++) {
                Step step = answers.get(each).join();
                reward += step.reward();
                if (step.done()) {
                    poles.get(each).call(BalancedPole::reset).join();
                }
            }
        }
        return reward;
    }

    public static void main(String[] args) {
        int steps = args.length > 0 ? Integer.parseInt(args[0]) : STEPS;
        try (Fiber fiber = Fiber.open();
                Manager manager = fiber.manager()) {
            List<BalancedPole> poles = IntStream.range(0, ENVIRONMENTS)
                    .mapToObj(seed -> manager.share(BalancedPole.class, () -> new CartPole(seed)))
                    .toList();
            List<AsyncProxy<BalancedPole>> asyncPoles = IntStream.range(0, ENVIRONMENTS)
                    .mapToObj(seed -> manager.<BalancedPole>hostAsync(() -> new CartPole(seed)))
                    .toList();
            inTurn(poles, Math.min(WARM_UP, steps));
            atOnce(asyncPoles, Math.min(WARM_UP, steps));

            long beginNs = System.nanoTime();
            double reward = inTurn(poles, steps);
            System.out.printf("sync:  %.0f steps in %.3f s%n", reward, (System.nanoTime() - beginNs) / 1e9);
            beginNs = System.nanoTime();
            reward = atOnce(asyncPoles, steps);
            System.out.printf("async: %.0f steps in %.3f s%n", reward, (System.nanoTime() - beginNs) / 1e9);
        }
    }
}
