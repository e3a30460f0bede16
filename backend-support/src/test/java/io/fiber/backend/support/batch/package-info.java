// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.fiber.backend.support.batch;

import org.jspecify.annotations.NullMarked;
