// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import org.jspecify.annotations.Nullable;

/**
 * A setting has a name that does not exist or a value that cannot be read, or no backend, transport or serializer could be
 * selected, or not the one that was asked for. The text has a line for each fault, which names the value and where it was
 * written, or what is on the class path and how to choose; the code is that of the first line, one of {@code FBR-101} to
 * {@code FBR-126}, or {@code FBR-501}. Trying again without a change cannot succeed.
 */
public final class ConfigurationException extends FiberException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what is wrong and what to do, a line for each fault, each beginning with its code
     */
    public ConfigurationException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what is wrong and what to do, a line for each fault, each beginning with its code
     * @param cause what was thrown when a file or a provider was read, or null when nothing was
     */
    public ConfigurationException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
