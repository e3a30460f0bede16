// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

/** The purpose of a link. The side that invites sets it; the other side learns it from the address. */
public enum LinkUse {
    /**
     * Messages between two runtimes. They are read as soon as they arrive, so small buffers are enough. What a peer sent
     * before it closed may be lost if it is not read within a second.
     */
    CONVERSATION,
    /**
     * Data of users, in any amount, which is read at any time. Buffers and frames may be larger. What a peer sent
     * before it closed stays readable until it was read or this end closes; until then the link stays {@link
     * LinkState#CONNECTED}.
     */
    DATA
}
