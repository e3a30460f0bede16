// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** A transport cannot do what was asked; {@link #kind} says of what sort the trouble is. */
public final class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Sorts of trouble. */
    public enum Kind {
        /** This JVM or host cannot run the transport at all. */
        UNUSABLE,
        /** No room: shared memory, ports, file descriptors. */
        NO_ROOM,
        /** An address that cannot be used from here. */
        BAD_ADDRESS,
        /** What drives the I/O has died or was silent for too long; all links are closed. */
        DRIVER_LOST,
        /** Something else failed inside. */
        INTERNAL
    }

    private final Kind kind;

    /** Creates an exception; {@code message} says what happened and what to do. */
    public TransportException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** Creates an exception with a cause, or null when there is none. */
    public TransportException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = requireNonNull(kind, "kind");
    }

    /** Returns of what sort the trouble is. */
    public Kind kind() {
        return kind;
    }
}
