// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import java.io.Serializable;

/** What other processes can ask of an environment. */
public interface BalancedPole {

    /**
     * What a step brings.
     *
     * @param position of the cart, in metres from the middle
     * @param velocity of the cart, in metres a second
     * @param angle of the pole, in radians from upright
     * @param angularVelocity of the pole, in radians a second
     * @param reward 1 for each step
     * @param done whether the episode has ended
     */
    record Step(double position, double velocity, double angle, double angularVelocity, double reward, boolean done)
            implements Serializable {}

    /** Begins an episode; returns position, velocity, angle and angular velocity. */
    double[] reset();

    /** Pushes the cart: to the left by 0, to the right by 1. */
    Step step(int action);
}
