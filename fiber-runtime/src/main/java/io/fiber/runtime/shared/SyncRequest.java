// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.runtime.protocol.SealedPayload;

/**
 * What a party asks of a machine.
 *
 * @param operation what
 * @param ticket who asks, and under which name it waits
 * @param number an argument of the operation: permits, a condition, a serial number; 0 when it takes none
 * @param item an item of a queue; empty when there is none
 */
record SyncRequest(Operation operation, SyncTicket ticket, long number, SealedPayload item) {}
