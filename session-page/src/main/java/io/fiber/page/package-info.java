// SPDX-License-Identifier: Apache-2.0
/**
 * A page in the browser on what pools do: {@link io.fiber.page.SessionPage} serves it. {@code PoolWatch} is what is seen of one
 * pool, {@code Recorder} what the flight recorder tells of all, {@code PageState} what the page asks for once in a second,
 * {@code PageServer} who may ask.
 */
@NullMarked
package io.fiber.page;

import org.jspecify.annotations.NullMarked;
