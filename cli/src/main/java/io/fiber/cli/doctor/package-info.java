// SPDX-License-Identifier: Apache-2.0
/**
 * Finds out why programs do not run, or would not.
 *
 * <p>{@link io.fiber.cli.doctor.Doctor} runs the checks in the order in which a program would have problems: this JVM
 * and its host ({@code HostChecks}), settings and class path ({@code ProviderChecks}), the selected backend, which it
 * opens, and a job on it ({@code JobCheck}). The job is a small program ({@code ProbeJob}) that examines its host and
 * calls back over UDP or TCP; {@code JobReport} evaluates its report. Each result is a {@link
 * io.fiber.cli.doctor.Finding}.
 */
@NullMarked
package io.fiber.cli.doctor;

import org.jspecify.annotations.NullMarked;
