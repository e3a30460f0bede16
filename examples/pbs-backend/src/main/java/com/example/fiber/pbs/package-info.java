// SPDX-License-Identifier: Apache-2.0
/**
 * A backend whose jobs are elements of PBS job arrays.
 *
 * <ul>
 *   <li>{@link com.example.fiber.pbs.PbsBackendProvider} is what {@code ServiceLoader} finds. It has the options, the
 *       capabilities and the address of the master
 *   <li>{@code Pbs} calls qsub, qstat, qsig and qdel and parses their output
 * </ul>
 */
package com.example.fiber.pbs;
