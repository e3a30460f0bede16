// SPDX-License-Identifier: Apache-2.0
/**
 * A backend inside one JVM, for tests: a {@link io.fiber.tck.simulated.SimulatedPlatform} is the cluster, with switches for
 * faults (slow and failing starts, an interface that is out of reach, preemption, a lost node); its provider opens
 * {@link io.fiber.tck.simulated.SimulatedBackend}s. A job runs a program in threads, or follows a
 * {@link io.fiber.tck.simulated.JobPlan.Script} without any; time is a {@link io.fiber.tck.simulated.Timeline}, real or
 * moved by the test. It passes the kit of backends.
 *
 * <p>It is not registered for {@link java.util.ServiceLoader}: a test hands the provider over.
 */
@NullMarked
package io.fiber.tck.simulated;

import org.jspecify.annotations.NullMarked;
