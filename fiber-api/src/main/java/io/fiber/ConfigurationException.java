// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a setting is unknown or its value is invalid, or if the backend, transport or serializer cannot be
 * selected. The message has one line for each fault. It names the value and where it was set, or what is on the class
 * path and how to choose. The code is that of the first line: one of {@code FBR-101} to {@code FBR-126}, or {@code
 * FBR-501}. Trying again without a change cannot succeed.
 */
public final class ConfigurationException extends FiberException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what is wrong and what to do: one line for each fault, each beginning with its code
     */
    public ConfigurationException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what is wrong and what to do: one line for each fault, each beginning with its code
     * @param cause the exception from reading a file or loading a provider, or null if there is none
     */
    public ConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
