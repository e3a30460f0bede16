// SPDX-License-Identifier: Apache-2.0
/** A complete small backend, as docs/writing-a-backend.md shows it, and its test. */
@NullMarked
package io.fiber.tck.example;

import org.jspecify.annotations.NullMarked;
