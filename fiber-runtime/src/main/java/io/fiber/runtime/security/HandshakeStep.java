// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

/**
 * What came of a message: the handshake goes on with {@code M}, or is over.
 *
 * @param <M> what it goes on with
 */
public sealed interface HandshakeStep<M> {

    /** The handshake goes on. */
    record Next<M>(M value) implements HandshakeStep<M> {}

    /** The handshake is over and the connection must be closed; the handshake refuses everything from here on. */
    record Failed<M>(HandshakeFailure failure) implements HandshakeStep<M> {}
}
