// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of a backend: it starts jobs on some cluster, tells what becomes of them, and ends them.
 *
 * <p>A {@link io.fiber.spi.backend.BackendProvider} is found, creates a {@link io.fiber.spi.backend.Backend}; that
 * takes a {@link io.fiber.spi.backend.Submission} of n equal jobs described by one {@link io.fiber.spi.backend.JobSpec},
 * returns a {@link io.fiber.spi.backend.Job} for each, and pushes {@link io.fiber.spi.backend.JobEvent}s to a
 * {@link io.fiber.spi.backend.JobListener} until each has ended with a {@link io.fiber.spi.backend.JobTermination}.
 *
 * <p>A backend knows nothing of pools, messages or transports: what it starts is a program described by fields. The
 * clauses that it must keep are numbered in {@code docs/backend-contract.md} ({@code BKD-nnn}); the compatibility kit
 * has a test for each.
 */
@NullMarked
package io.fiber.spi.backend;

import org.jspecify.annotations.NullMarked;
