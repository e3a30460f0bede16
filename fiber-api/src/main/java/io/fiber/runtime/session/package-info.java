// SPDX-License-Identifier: Apache-2.0
/** The session: what opens it, what it holds, what ends with it. */
@NullMarked
package io.fiber.runtime.session;

import org.jspecify.annotations.NullMarked;
