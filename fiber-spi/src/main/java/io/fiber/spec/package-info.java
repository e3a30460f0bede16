// SPDX-License-Identifier: Apache-2.0
/**
 * What a program asks for and a backend gives: {@link io.fiber.spec.Resources}, {@link io.fiber.spec.Volume} and {@link
 * io.fiber.spec.Secret}. Programs and providers use these types alike. All are immutable and thread-safe.
 */
@NullMarked
package io.fiber.spec;

import org.jspecify.annotations.NullMarked;
