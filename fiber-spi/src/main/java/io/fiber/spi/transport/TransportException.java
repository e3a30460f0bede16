// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/** Thrown if a transport cannot do what was requested; {@link #kind} classifies the failure. */
public final class TransportException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Kinds of failures. */
    public enum Kind {
        /** This JVM or host cannot run the transport at all. */
        UNUSABLE,
        /** There is not enough shared memory, or there are too few ports or file descriptors. */
        NO_ROOM,
        /** An address that cannot be used from here. */
        BAD_ADDRESS,
        /** The component that drives the I/O has died, or has been silent for too long. All links are closed. */
        DRIVER_LOST,
        /** Another internal failure. */
        INTERNAL
    }

    private final Kind kind;

    /** Creates an exception; {@code message} says what happened and what to do. */
    public TransportException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** Creates an exception with a cause, or null if there is none. */
    public TransportException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = requireNonNull(kind, "kind");
    }

    /** Returns the kind of failure. */
    public Kind kind() {
        return kind;
    }
}
