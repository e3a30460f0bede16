// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples.torch;

import io.fiber.Fiber;
import io.fiber.RingMember;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Trains one net in several processes, as with torch.distributed: each has points of its own, all have the mean gradient. */
public final class TorchRing {
    private static final int STEPS = 300;
    private static final int BATCH = 32;
    private static final float RATE = 0.5f;

    private TorchRing() {}

    static float[] train(RingMember member) {
        SplittableRandom random = new SplittableRandom(member.rank());
        try (Net net = new Net(member.broadcast(0, Net.firstWeights(random)))) {
            for (int step = 0; step < STEPS; step++) {
                float[] gradient = net.gradient(new Moons(BATCH, random));
                member.allReduce(gradient, Float::sum);
                for (int i = 0; i < gradient.length; i++) {
                    gradient[i] /= member.size();
                }
                net.descend(gradient, RATE);
                if (member.rank() == 0 && (step % 50 == 0 || step == STEPS - 1)) {
                    System.out.println("step " + step + " loss " + gradient[gradient.length - 1]);
                }
            }
            return net.weights();
        }
    }

    public static void main(String[] args) {
        try (Fiber fiber = Fiber.open()) {
            List<float[]> weights =
                    fiber.ring(args.length > 0 ? Integer.parseInt(args[0]) : 3).call(TorchRing::train);
            boolean same = weights.stream().allMatch(each -> Arrays.equals(each, weights.get(0)));
            System.out.println("all " + weights.size() + " members have the same weights: " + same);
        }
    }
}
