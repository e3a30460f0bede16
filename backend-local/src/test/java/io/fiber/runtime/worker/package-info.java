// SPDX-License-Identifier: Apache-2.0
/** Many workers in one JVM, which speak as real ones do. */
@NullMarked
package io.fiber.runtime.worker;

import org.jspecify.annotations.NullMarked;
