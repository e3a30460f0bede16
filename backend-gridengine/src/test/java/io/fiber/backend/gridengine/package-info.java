// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.fiber.backend.gridengine;

import org.jspecify.annotations.NullMarked;
