// SPDX-License-Identifier: Apache-2.0
/**
 * What Fiber needs of the JVM and host that it runs on. {@link io.fiber.runtime.host.AgronaAccess} opens the one package
 * of the JDK that Agrona needs.
 */
@NullMarked
package io.fiber.runtime.host;

import org.jspecify.annotations.NullMarked;
