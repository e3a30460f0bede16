// SPDX-License-Identifier: Apache-2.0
/** Programs to read and to run: {@code ./example PiEstimation}. Every snippet of the documentation is one of them. */
@NullMarked
package io.fiber.examples;

import org.jspecify.annotations.NullMarked;
