// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

/**
 * The name of one request, under which it waits.
 *
 * @param party who asked
 * @param number chosen by its process, never twice
 */
public record SyncTicket(LockHolder party, long number) {}
