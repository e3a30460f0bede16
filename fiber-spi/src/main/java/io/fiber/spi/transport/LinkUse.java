// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

/** What a link is for; the side that invites says so, the other learns it from the address. */
public enum LinkUse {
    /**
     * What two runtimes say to each other: read in every cycle, so that small buffers do. What a peer sent before it closed
     * may be lost when it is not read within a second.
     */
    CONVERSATION,
    /**
     * What users send: as much as they like, read when they like. Buffers and frames may be larger, and what a peer sent
     * before it closed stays readable until it was read or this end closes; until then the link stays
     * {@link LinkState#CONNECTED}.
     */
    DATA
}
