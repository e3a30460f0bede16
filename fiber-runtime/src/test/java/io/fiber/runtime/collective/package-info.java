// SPDX-License-Identifier: Apache-2.0
/** Tests of rings without processes. */
@NullMarked
package io.fiber.runtime.collective;

import org.jspecify.annotations.NullMarked;
