// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

/** An array was announced that cannot be in the bytes that are there. */
final class ImpossibleLengthException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ImpossibleLengthException(long elements, long bytes) {
        super("an array of " + elements + " elements was announced in " + bytes + " bytes", null, false, false);
    }
}
