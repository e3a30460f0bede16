// SPDX-License-Identifier: Apache-2.0
/**
 * Writes the results as a table: {@link io.fiber.tck.report.ClauseReport} observes every run of the kit and writes
 * {@code target/fiber-tck/<name>.md} and {@code .json}, with one row for each clause.
 */
@NullMarked
package io.fiber.tck.report;

import org.jspecify.annotations.NullMarked;
