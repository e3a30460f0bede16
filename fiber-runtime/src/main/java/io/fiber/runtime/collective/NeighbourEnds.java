// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.collective;

import io.fiber.Connection;
import io.fiber.Pipe;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

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
        implements Serializable {

    /**
     * Deals the ends out to all members.
     *
     * @param own for each member a pipe to the next one
     * @param all for each member another one
     */
    static List<NeighbourEnds> deal(List<Pipe<Object, Object>> own, List<Pipe<Object, Object>> all) {
        List<NeighbourEnds> dealt = new ArrayList<>();
        for (int rank = 0; rank < own.size(); rank++) {
            int before = (rank + own.size() - 1) % own.size();
            dealt.add(new NeighbourEnds(
                    own.get(rank).first(),
                    own.get(before).second(),
                    all.get(rank).first(),
                    all.get(before).second()));
        }
        return dealt;
    }
}
