// SPDX-License-Identifier: Apache-2.0
package io.fiber.benchmarks;

/** What is asked of a {@link CartPole} in another process. */
interface CartPoleCalls {

    double[] reset();

    CartPole.Step step(int action);
}
