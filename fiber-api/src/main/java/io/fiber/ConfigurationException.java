// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import org.jspecify.annotations.Nullable;

/**
 * A setting has a name that does not exist or a value that cannot be read, or it chooses a transport or serializer that
 * is not there. The text has a line for each fault, and each line names the value and where it was written; the code is
 * that of the first line: {@code FBR-107}, {@code FBR-111} to {@code FBR-115}, or {@code FBR-120} to {@code FBR-126};
 * also {@code FBR-103} and {@code FBR-108} when transports or serializers on the class path contradict each other.
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
