// SPDX-License-Identifier: Apache-2.0
/** Tests of direct links, over the transport in memory. */
@org.jspecify.annotations.NullMarked
package io.fiber.backend.local.link;
