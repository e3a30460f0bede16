// SPDX-License-Identifier: Apache-2.0
/** Tests of the backend {@code kubernetes}, most of them on a real cluster. */
@NullMarked
package io.fiber.backend.kubernetes;

import org.jspecify.annotations.NullMarked;
