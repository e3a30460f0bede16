// SPDX-License-Identifier: Apache-2.0
/**
 * What the kits use of the JVM and the host that they run on: directories, child JVMs, threads, log lines.
 */
@NullMarked
package io.fiber.tck.host;

import org.jspecify.annotations.NullMarked;
