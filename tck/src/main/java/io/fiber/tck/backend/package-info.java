// SPDX-License-Identifier: Apache-2.0
/**
 * The contract of backends: {@link io.fiber.tck.backend.BackendTck} and its groups of clauses.
 *
 * <p>A clause asks {@link io.fiber.tck.backend.BackendFixture} for a backend, runs a probe with {@code ProbeJob}, and
 * compares what the probe reports to a {@code Beacon} and what an {@code EventRecorder} saw. Clauses about the end of a
 * program run that program in a JVM of its own ({@code MasterProcess}).
 */
@NullMarked
package io.fiber.tck.backend;

import org.jspecify.annotations.NullMarked;
