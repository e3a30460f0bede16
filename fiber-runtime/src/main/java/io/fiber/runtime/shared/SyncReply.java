// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.SealedPayload;

/**
 * The one answer to a request.
 *
 * @param outcome what became of it
 * @param number what the operation returns: an epoch, an index, a count; 0 when nothing
 * @param item an item of a queue; empty when there is none
 */
public record SyncReply(Outcome outcome, long number, SealedPayload item) {}
