// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.runtime.channel.PartKind;
import io.fiber.runtime.protocol.Payload;

/**
 * A message that has arrived whole.
 *
 * @param kind what it is
 * @param payload its bytes
 */
record Incoming(PartKind kind, Payload payload) {}
