// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pipe;

import io.fiber.runtime.channel.PartKind;
import io.fiber.runtime.protocol.Payload;

/** A complete message of a pipe that waits to be sent, or has arrived. */
record PipeMessage(PartKind kind, Payload payload) {}
