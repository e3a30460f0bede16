// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

/** What both ends of a connection must agree on before they speak. */
public final class Protocol {

    /** Raised when a message changes in a way that an older peer would misread. */
    public static final int VERSION = 1;

    /** The stream of a connection's keys that the conductor's frames use. */
    public static final int CONDUCTOR_STREAM = 0;

    /** The stream of a direct link's keys that its user's frames use. */
    public static final int USER_STREAM = 1;

    /** The greatest payload that is believed: the users' limit, and what its seals add. */
    public static final long PAYLOAD_LIMIT_BYTES = Payload.LIMIT_BYTES + (1L << 20);

    private Protocol() {}
}
