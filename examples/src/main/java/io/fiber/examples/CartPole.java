// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import java.util.Random;

/** The environment CartPole-v1 of OpenAI Gym: a pole on a cart that is pushed left or right. */
public final class CartPole implements BalancedPole {
    private static final double GRAVITY = 9.8;
    private static final double POLE_MASS = 0.1;
    private static final double TOTAL_MASS = 1.0 + POLE_MASS;
    private static final double HALF_LENGTH = 0.5;
    private static final double POLE_MASS_LENGTH = POLE_MASS * HALF_LENGTH;
    private static final double FORCE = 10;
    private static final double SECONDS_PER_STEP = 0.02;
    private static final double ANGLE_LIMIT = 12 * 2 * Math.PI / 360;
    private static final double POSITION_LIMIT = 2.4;
    private static final int STEP_LIMIT = 500;

    private final Random random;
    private double position;
    private double velocity;
    private double angle;
    private double angularVelocity;
    private int steps;

    /** Makes an environment whose episodes follow from a seed, in its first one. */
    public CartPole(long seed) {
        random = new Random(seed);
        reset();
    }

    @Override
    public double[] reset() {
        position = start();
        velocity = start();
        angle = start();
        angularVelocity = start();
        steps = 0;
        return new double[] {position, velocity, angle, angularVelocity};
    }

    private double start() {
        return random.nextDouble() * 0.1 - 0.05;
    }

    @Override
    public Step step(int action) {
        double force = action == 1 ? FORCE : -FORCE;
        double cos = Math.cos(angle);
        double sin = Math.sin(angle);
        double part = (force + POLE_MASS_LENGTH * angularVelocity * angularVelocity * sin) / TOTAL_MASS;
        double angularAcceleration =
                (GRAVITY * sin - cos * part) / (HALF_LENGTH * (4.0 / 3.0 - POLE_MASS * cos * cos / TOTAL_MASS));
        double acceleration = part - POLE_MASS_LENGTH * angularAcceleration * cos / TOTAL_MASS;
        position += SECONDS_PER_STEP * velocity;
        velocity += SECONDS_PER_STEP * acceleration;
        angle += SECONDS_PER_STEP * angularVelocity;
        angularVelocity += SECONDS_PER_STEP * angularAcceleration;
        steps++;
        boolean fallen = Math.abs(position) > POSITION_LIMIT || Math.abs(angle) > ANGLE_LIMIT;
        return new Step(position, velocity, angle, angularVelocity, 1, fallen || steps == STEP_LIMIT);
    }
}
