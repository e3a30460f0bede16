// SPDX-License-Identifier: Apache-2.0
/**
 * A backend inside one JVM, for tests. A {@link io.fiber.tck.simulated.SimulatedPlatform} is the cluster, which can
 * inject faults (slow and failing starts, an unreachable interface, preemption, a lost node); its provider opens {@link
 * io.fiber.tck.simulated.SimulatedBackend}s. A job runs a program in threads, or follows a {@link
 * io.fiber.tck.simulated.JobPlan.Script} without threads. Time is a {@link io.fiber.tck.simulated.Timeline}, real or
 * advanced by the test. It passes the kit of backends.
 *
 * <p>It is not registered for {@link java.util.ServiceLoader}: a test passes the provider on.
 */
@NullMarked
package io.fiber.tck.simulated;

import org.jspecify.annotations.NullMarked;
