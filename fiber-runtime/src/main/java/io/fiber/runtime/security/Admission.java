// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

/**
 * What a worker has when its handshake is done.
 *
 * @param payloadKey the session's payload key
 * @param settings the settings from the runtime of the master, unparsed
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Admission(ConnectionKeys keys, PayloadKey payloadKey, byte[] settings) {}
