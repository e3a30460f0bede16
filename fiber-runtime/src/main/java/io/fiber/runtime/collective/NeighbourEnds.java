// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.Connection;
import java.io.Serializable;

/**
 * The ends of pipes that one member holds. Those for all members are of their own, so that operations of all do not meet what
 * the program sends.
 *
 * @param next to the next member
 * @param previous to the member before
 * @param allNext to the next member, for operations of all
 * @param allPrevious to the member before, for operations of all
 */
record NeighbourEnds(
        Connection<Object, Object> next,
        Connection<Object, Object> previous,
        Connection<?, ?> allNext,
        Connection<?, ?> allPrevious)
        implements Serializable {}
