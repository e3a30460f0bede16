// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples.torch;

import java.util.random.RandomGenerator;

/** Points of two half moons that reach into each other: no straight line tells them apart. */
final class Moons {
    private static final double BLUR = 0.1;

    /** Two numbers for each point. */
    final float[] points;

    final long[] kinds;

    Moons(int count, RandomGenerator random) {
        points = new float[2 * count];
        kinds = new long[count];
        for (int i = 0; i < count; i++) {
            double angle = Math.PI * random.nextDouble();
            kinds[i] = random.nextInt(2);
            double x = kinds[i] == 0 ? Math.cos(angle) : 1 - Math.cos(angle);
            double y = kinds[i] == 0 ? Math.sin(angle) : 0.5 - Math.sin(angle);
            points[2 * i] = (float) random.nextGaussian(x, BLUR);
            points[2 * i + 1] = (float) random.nextGaussian(y, BLUR);
        }
    }
}
