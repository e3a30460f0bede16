// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import org.jspecify.annotations.Nullable;

/**
 * No backend could be selected, or not the one that was asked for. The text says which backends are on the class path,
 * where the choice came from and how to choose; its code is one of {@code FBR-101} to {@code FBR-109} or {@code FBR-114}. Trying again
 * without a change cannot succeed.
 */
public final class BackendSelectionException extends FiberException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened and what to do, beginning with its code
     */
    public BackendSelectionException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened and what to do, beginning with its code
     * @param cause why a provider could not be loaded, or null when that is not the reason
     */
    public BackendSelectionException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
