// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static java.util.Objects.requireNonNull;

import io.fiber.Fiber;
import io.fiber.ManagedMap;
import io.fiber.Manager;
import io.fiber.Pool;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Environments that get harder and agents that move between them, as in POET: workers find all agents in a map, which travels
 * with each task as an address, and each environment tries changes of its own agent and the agents of the others.
 */
public final class PoetStyle {
    private static final int ENVIRONMENTS = 4;
    private static final int CHANGES = 16;
    private static final int ROUNDS = 25;

    private PoetStyle() {}

    record Agent(double x, double y) implements Serializable {}

    record Trial(int environment, Agent agent) implements Serializable {}

    /** How near an agent comes to what an environment asks for; 0 is perfect. */
    static double score(int environment, Agent agent) {
        return -Math.hypot(agent.x() - environment, agent.y() - environment * environment);
    }

    static Trial change(int environment, Agent agent, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Agent changed = new Agent(agent.x() + 0.5 * random.nextGaussian(), agent.y() + 0.5 * random.nextGaussian());
        return new Trial(environment, changed);
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open();
                Manager manager = fiber.manager()) {
            ManagedMap<Integer, Agent> agents = manager.map();
            IntStream.range(0, ENVIRONMENTS).forEach(i -> agents.put(i, new Agent(0, 0)));
            try (Pool pool = fiber.pool(2)) {
                for (int round = 0; round < ROUNDS; round++) {
                    List<CompletableFuture<Trial>> trials = new ArrayList<>();
                    for (int i = 0; i < ENVIRONMENTS; i++) {
                        int environment = i;
                        for (int n = 0; n < CHANGES; n++) {
                            long seed = (round * 100L + n) * ENVIRONMENTS + i;
                            trials.add(pool.applyAsync(
                                    () -> change(environment, requireNonNull(agents.get(environment)), seed)));
                        }
                        int other = (i + 1) % ENVIRONMENTS;
                        trials.add(pool.applyAsync(() -> new Trial(environment, requireNonNull(agents.get(other)))));
                    }
                    for (CompletableFuture<Trial> trial : trials) {
                        int where = trial.join().environment();
                        Agent made = trial.join().agent();
                        agents.merge(where, made, (old, now) -> score(where, old) > score(where, now) ? old : now);
                    }
                }
            }
            agents.forEach((environment, agent) ->
                    System.out.printf("environment %d: %.2f%n", environment, score(environment, agent)));
        }
    }
}
