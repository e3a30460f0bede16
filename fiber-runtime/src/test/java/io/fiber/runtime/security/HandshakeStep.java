// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

/**
 * What an end of a handshake did with a message.
 *
 * @param <M> what it goes on with
 */
public sealed interface HandshakeStep<M> {

    /** The handshake goes on. */
    record Next<M>(M value) implements HandshakeStep<M> {}

    /** The handshake is over, and the owner of the link was told why. */
    record Failed<M>(String why) implements HandshakeStep<M> {}
}
