// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import java.time.Duration;

/**
 * The time of a simulated backend, which runs steps one after the other, now or later. Everything that a backend does
 * to its jobs and reports about them is such a step. Thread-safe.
 */
public interface Timeline extends AutoCloseable {

    /** Runs a step after {@code delay}; with zero, as soon as earlier steps are done. */
    void after(Duration delay, Runnable step);

    /** Ends this time; steps that are not due are dropped. */
    @Override
    void close();
}
