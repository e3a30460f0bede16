// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of backends, which start jobs on a cluster, report what happens to them, and end them.
 *
 * <p>A {@link io.fiber.spi.backend.BackendProvider} is discovered and creates a {@link io.fiber.spi.backend.Backend}.
 * The backend receives a {@link io.fiber.spi.backend.Submission} of n equal jobs, which one {@link
 * io.fiber.spi.backend.JobSpec} describes. It returns a {@link io.fiber.spi.backend.Job} for each, and sends {@link
 * io.fiber.spi.backend.JobEvent}s to a {@link io.fiber.spi.backend.JobListener} until each has ended with a {@link
 * io.fiber.spi.backend.JobTermination}.
 *
 * <p>A backend knows nothing about pools, messages or transports: it starts a program that fields describe. {@code
 * docs/backend-contract.md} numbers the clauses that it must keep ({@code BKD-nnn}), and the compatibility kit has a
 * test for each.
 */
@NullMarked
package io.fiber.spi.backend;

import org.jspecify.annotations.NullMarked;
