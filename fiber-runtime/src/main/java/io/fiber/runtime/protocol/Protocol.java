// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/** Values on which both ends of a connection must agree in advance. */
public final class Protocol {

    /** Incremented if a message changes in a way that an older peer would misread. */
    public static final int VERSION = 1;

    /** The number of a master in its session. Its workers have numbers from 1, which are never reused. */
    public static final int MASTER_NUMBER = 0;

    /** The key stream of a connection that the conductor's frames use. */
    public static final int CONDUCTOR_STREAM = 0;

    /** The key stream of a direct link that its user's frames use. */
    public static final int USER_STREAM = 1;

    /** The maximum accepted payload: the limit for users plus the bytes that seals add. */
    public static final long PAYLOAD_LIMIT_BYTES = Payload.LIMIT_BYTES + (1L << 20);

    private Protocol() {}
}
