// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

/** What became of an offered frame, and what to do next. */
public enum OfferResult {
    /** The frame will be delivered, unless the link closes first. */
    ACCEPTED,
    /** The peer or the buffer is full: offer the same frame again in a later cycle. */
    BACK_PRESSURED,
    /** The peer is not there, not yet or just now: offer again later, until the lease ends. */
    NOT_CONNECTED,
    /** The link is closed and stays so: give the frame to another peer. */
    CLOSED
}
