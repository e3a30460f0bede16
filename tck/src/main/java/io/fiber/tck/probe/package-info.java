// SPDX-License-Identifier: Apache-2.0
/**
 * The programs that the kit lets a backend run. {@link io.fiber.tck.probe.ProbeMain} calls the kit over TCP, reports
 * what it found (arguments, environment, bootstrap bytes), and does what it is told. So the kit sees what a job did
 * without the backend's help. {@link io.fiber.tck.probe.ExitMain} ends at once. Both are {@link
 * io.fiber.tck.probe.JobProgram}s: they see their environment through a {@link io.fiber.tck.probe.JobWorld}, which is
 * this process or a simulated one. The package depends only on the JDK.
 */
@NullMarked
package io.fiber.tck.probe;

import org.jspecify.annotations.NullMarked;
