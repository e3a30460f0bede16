// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

/** Thrown if objects are nested too deeply even for the stack of a {@link DeepStack}. */
final class TooDeepException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long stackBytes;

    TooDeepException(long stackBytes, StackOverflowError overflow) {
        super("More than a stack of " + stackBytes + " bytes.", overflow, false, false);
        this.stackBytes = stackBytes;
    }

    long stackBytes() {
        return stackBytes;
    }
}
