// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.SealedPayload;

/**
 * A request to an object.
 *
 * @param operation number of the object's operation
 * @param argument a number, sent in the header, where it costs nothing: an id, a limit; 0 if it means nothing
 * @param body the other arguments, sealed with the seals of this process; {@link SealedPayload#none} for none
 */
public record Request(int operation, long argument, SealedPayload body) {

    public static Request of(int operation, long argument) {
        return new Request(operation, argument, SealedPayload.none());
    }

    public static Request of(int operation, SealedPayload body) {
        return new Request(operation, 0, body);
    }
}
