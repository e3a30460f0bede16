// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.fiber.runtime.host;

import org.jspecify.annotations.NullMarked;
