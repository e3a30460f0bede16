// SPDX-License-Identifier: Apache-2.0
/**
 * The code that runs in a pod before its program: {@link io.fiber.backend.kubernetes.boot.Fetch} fetches the class
 * path. It is a single class that needs only a JRE, because it is sent alone.
 */
@NullMarked
package io.fiber.backend.kubernetes.boot;

import org.jspecify.annotations.NullMarked;
