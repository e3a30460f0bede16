// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

/**
 * What a worker has when its handshake is done.
 *
 * @param payloadKey the session's payload key
 * @param settings what the runtime of the master put in, unread
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Admission(ConnectionKeys keys, PayloadKey payloadKey, byte[] settings) {}
