// SPDX-License-Identifier: Apache-2.0
/** A backend that is as small as can be and has no reaper, and its test. */
@NullMarked
package io.fiber.tck.example;

import org.jspecify.annotations.NullMarked;
