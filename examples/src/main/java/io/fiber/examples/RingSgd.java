// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import io.fiber.Fiber;
import io.fiber.RingMember;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Learns to tell irises apart by distributed gradient descent: each member of a ring sees its own part of the flowers. */
public final class RingSgd {
    private static final int KINDS = Iris.SPECIES.size();
    private static final int INPUTS = Iris.INPUTS;
    private static final int STEPS = 400;
    private static final int BATCH = 8;

    private RingSgd() {}

    /** Adds one flower's gradient of the cross entropy, and behind the gradients its loss. */
    static void learn(Iris iris, float[] weights, float[] gradient) {
        double[] odds = new double[KINDS];
        double sum = 0;
        for (int s = 0; s < odds.length; s++) {
            for (int i = 0; i < INPUTS; i++) {
                odds[s] += weights[s * INPUTS + i] * iris.inputs[i];
            }
            odds[s] = Math.exp(odds[s]);
            sum += odds[s];
        }
        for (int s = 0; s < odds.length; s++) {
            double error = odds[s] / sum - (s == iris.species ? 1 : 0);
            for (int i = 0; i < INPUTS; i++) {
                gradient[s * INPUTS + i] += (float) (error * iris.inputs[i]);
            }
        }
        gradient[weights.length] -= (float) Math.log(odds[iris.species] / sum);
    }

    static float[] train(RingMember member) throws IOException {
        List<Iris> irises = Iris.all();
        SplittableRandom random = new SplittableRandom(member.rank());
        float[] weights = new float[KINDS * INPUTS];
        for (int step = 0; step < STEPS; step++) {
            float[] gradient = new float[weights.length + 1];
            for (int i = 0; i < BATCH; i++) {
                int mine = random.nextInt(irises.size() / member.size()) * member.size() + member.rank();
                learn(irises.get(mine), weights, gradient);
            }
            member.allReduce(gradient, Float::sum);
            for (int i = 0; i < weights.length; i++) {
                weights[i] -= 0.5f * gradient[i] / (BATCH * member.size());
            }
            if (member.rank() == 0 && (step % 50 == 0 || step == STEPS - 1)) {
                System.out.println("step " + step + " loss " + gradient[weights.length] / (BATCH * member.size()));
            }
        }
        return weights;
    }

    public static void main(String[] args) throws IOException {
        try (Fiber fiber = Fiber.open()) {
            List<float[]> weights =
                    fiber.ring(args.length > 0 ? Integer.parseInt(args[0]) : 4).call(RingSgd::train);
            float[] loss = new float[weights.get(0).length + 1];
            Iris.all().forEach(iris -> learn(iris, weights.get(0), loss));
            boolean same = weights.stream().allMatch(each -> Arrays.equals(each, weights.get(0)));
            System.out.println(
                    "loss of all irises " + loss[loss.length - 1] / Iris.all().size());
            System.out.println("all " + weights.size() + " members have the same weights: " + same);
        }
    }
}
