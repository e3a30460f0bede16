// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.SealedPayload;

/**
 * What is asked of an object.
 *
 * @param operation which of its operations; the object's own numbers
 * @param argument a number that travels in the header, where it costs nothing: an id, a limit; 0 when it means nothing
 * @param body what else is told, sealed with the seals of this process; {@link SealedPayload#none} for nothing
 */
public record Request(int operation, long argument, SealedPayload body) {

    public static Request of(int operation, long argument) {
        return new Request(operation, argument, SealedPayload.none());
    }

    public static Request of(int operation, SealedPayload body) {
        return new Request(operation, 0, body);
    }
}
