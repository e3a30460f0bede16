// SPDX-License-Identifier: Apache-2.0
package io.fiber;

/** Thrown if a queue is closed: it accepts no more items (FBR-410), or none is left (FBR-411). */
public final class QueueClosedException extends FiberException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception. The runtime does this.
     *
     * @param code {@code FBR-410} or {@code FBR-411}
     * @param message what happened
     */
    public QueueClosedException(String code, String message) {
        super(code, message);
    }
}
