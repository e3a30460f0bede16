// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import io.fiber.AsyncProxy;
import io.fiber.Fiber;
import io.fiber.Manager;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Steps four environments of a manager, in turn for each line {@code sync} of standard input, all at once for each line
 * {@code async}, and answers with a line {@code RESULT} and the seconds it took.
 */
public final class CartPoleProgram {
    private static final int ENVIRONMENTS = 4;
    private static final int STEPS = 5_000;

    private CartPoleProgram() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException {
        try (BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Fiber fiber = Fiber.open();
                Manager manager = fiber.manager()) {
            List<CartPoleCalls> poles = IntStream.range(0, ENVIRONMENTS)
                    .mapToObj(seed -> manager.share(CartPoleCalls.class, () -> new CartPole(seed)))
                    .toList();
            List<AsyncProxy<CartPole>> asyncPoles = IntStream.range(0, ENVIRONMENTS)
                    .mapToObj(seed -> manager.hostAsync(() -> new CartPole(seed)))
                    .toList();
            for (String test = commands.readLine(); test != null; test = commands.readLine()) {
                long beginNs = System.nanoTime();
                double reward = test.equals("async") ? atOnce(asyncPoles) : inTurn(poles);
                long endNs = System.nanoTime();
                if (reward != ENVIRONMENTS * STEPS) {
                    throw new IllegalStateException(reward + " steps; expected " + ENVIRONMENTS * STEPS + ".");
                }
                System.out.printf(Locale.ROOT, "RESULT %.6f%n", (endNs - beginNs) / 1e9);
                System.out.flush();
            }
        }
    }

    private static double inTurn(List<CartPoleCalls> poles) {
        double reward = 0;
        for (int i = 0; i < STEPS; i++) {
            for (CartPoleCalls pole : poles) {
                CartPole.Step step = pole.step(i % 2);
                reward += step.reward();
                if (step.done()) {
                    pole.reset();
                }
            }
        }
        return reward;
    }

    private static double atOnce(List<AsyncProxy<CartPole>> poles) {
        double reward = 0;
        List<CompletableFuture<CartPole.Step>> answers = new ArrayList<>(ENVIRONMENTS);
        for (int i = 0; i < STEPS; i++) {
            int action = i % 2;
            answers.clear();
            for (AsyncProxy<CartPole> pole : poles) {
                answers.add(pole.call(each -> each.step(action)));
            }
            for (int each = 0; each < ENVIRONMENTS; each++) {
                CartPole.Step step = answers.get(each).join();
                reward += step.reward();
                if (step.done()) {
                    poles.get(each).call(CartPole::reset).join();
                }
            }
        }
        return reward;
    }
}
