// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.security;

/** Thrown if a payload could not be sealed or opened. It says nothing about the payloads before and after it. */
public final class SealException extends Exception {
    private static final long serialVersionUID = 1L;

    SealException(String message) {
        super(message);
    }

    SealException(String message, Throwable cause) {
        super(message, cause);
    }
}
