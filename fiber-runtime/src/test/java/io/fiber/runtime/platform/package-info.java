// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.fiber.runtime.platform;

import org.jspecify.annotations.NullMarked;
