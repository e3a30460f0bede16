// SPDX-License-Identifier: Apache-2.0
/** Tests of rings without processes. */
@NullMarked
package io.fiber.runtime.ring;

import org.jspecify.annotations.NullMarked;
