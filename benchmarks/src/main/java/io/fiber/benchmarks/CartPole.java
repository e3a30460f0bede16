// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

import java.io.Serializable;
import java.util.Random;

/** CartPole-v1 of OpenAI Gym, by the same steps as the class of {@code cartpole_peer.py}. */
final class CartPole implements CartPoleCalls {
    private static final double POLE_MASS_LENGTH = 0.1 * 0.5;
    private static final double TOTAL_MASS = 1.0 + 0.1;
    private static final double ANGLE_LIMIT = 12 * 2 * Math.PI / 360;

    record Step(double position, double velocity, double angle, double angularVelocity, double reward, boolean done)
            implements Serializable {}

    private final Random random;
    private double[] state = new double[4];
    private int steps;

    CartPole(long seed) {
        random = new Random(seed);
        reset();
    }

    @Override
    public double[] reset() {
        state = random.doubles(4, -0.05, 0.05).toArray();
        steps = 0;
        return state;
    }

    @Override
    public Step step(int action) {
        double force = action == 1 ? 10 : -10;
        double cos = Math.cos(state[2]);
        double sin = Math.sin(state[2]);
        double part = (force + POLE_MASS_LENGTH * state[3] * state[3] * sin) / TOTAL_MASS;
        double angular = (9.8 * sin - cos * part) / (0.5 * (4.0 / 3.0 - 0.1 * cos * cos / TOTAL_MASS));
        double acceleration = part - POLE_MASS_LENGTH * angular * cos / TOTAL_MASS;
        state = new double[] {
            state[0] + 0.02 * state[1],
            state[1] + 0.02 * acceleration,
            state[2] + 0.02 * state[3],
            state[3] + 0.02 * angular
        };
        steps++;
        boolean done = Math.abs(state[0]) > 2.4 || Math.abs(state[2]) > ANGLE_LIMIT || steps == 500;
        return new Step(state[0], state[1], state[2], state[3], 1, done);
    }
}
