// SPDX-License-Identifier: Apache-2.0
/**
 * Example programs, which you can run: {@code ./example PiEstimation}. Every snippet of the documentation comes from
 * one of them.
 */
@NullMarked
package io.fiber.examples;

import org.jspecify.annotations.NullMarked;
