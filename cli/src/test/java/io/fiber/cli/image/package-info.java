// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.fiber.cli.image;

import org.jspecify.annotations.NullMarked;
