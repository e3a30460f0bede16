// SPDX-License-Identifier: Apache-2.0
/** The transport "aeron". */
@NullMarked
package io.fiber.transport.aeron;

import org.jspecify.annotations.NullMarked;
