// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.transport;

/** The result of offering a frame, which says what to do next. */
public enum OfferResult {
    /** The frame will be delivered, unless the link closes first. */
    ACCEPTED,
    /** The peer or the buffer is full: offer the same frame again in a later cycle. */
    BACK_PRESSURED,
    /** The peer is not connected yet or at the moment: offer again later, until the lease ends. */
    NOT_CONNECTED,
    /** The link is closed for good: send the frame to another peer. */
    CLOSED
}
