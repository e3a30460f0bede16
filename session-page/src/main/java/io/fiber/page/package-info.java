// SPDX-License-Identifier: Apache-2.0
/**
 * A page in the browser that shows what pools do. {@link io.fiber.page.SessionPage} serves it. {@code PoolWatch}
 * observes one pool, {@code Recorder} collects events of the flight recorder, {@code PageState} is the content that the
 * page requests once a second, and {@code PageServer} checks who may request it.
 */
@NullMarked
package io.fiber.page;

import org.jspecify.annotations.NullMarked;
