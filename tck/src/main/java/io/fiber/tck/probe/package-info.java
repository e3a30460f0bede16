// SPDX-License-Identifier: Apache-2.0
/**
 * The programs that the kit has a backend run. {@link io.fiber.tck.probe.ProbeMain} calls the kit back over TCP, says what
 * it found (arguments, environment, bootstrap bytes), and does what it is told, so that what a job did is seen without the
 * backend's help; {@link io.fiber.tck.probe.ExitMain} ends at once. Both are {@link io.fiber.tck.probe.JobProgram}s: they
 * see their surroundings through a {@link io.fiber.tck.probe.JobWorld}, which is this process or a simulated one. The
 * package depends on the JDK alone.
 */
@NullMarked
package io.fiber.tck.probe;

import org.jspecify.annotations.NullMarked;
