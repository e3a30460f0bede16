// SPDX-License-Identifier: Apache-2.0
/**
 * A backend whose jobs are elements of job arrays of PBS.
 *
 * <ul>
 *   <li>{@link com.example.fiber.pbs.PbsBackendProvider}: what {@code ServiceLoader} finds; options, capabilities, the way back
 *   <li>{@code Pbs}: the words of qsub, qstat, qsig and qdel, and what they answer
 * </ul>
 */
package com.example.fiber.pbs;
