// SPDX-License-Identifier: Apache-2.0
/**
 * What runs in a pod before its program: {@link io.fiber.backend.kubernetes.boot.Fetch} brings the class path there. It is
 * one class that needs nothing but a JRE, because it travels alone.
 */
@NullMarked
package io.fiber.backend.kubernetes.boot;

import org.jspecify.annotations.NullMarked;
