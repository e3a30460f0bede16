// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The order in which exceptions that refer to each other are read: each one after those to which it refers. Chains of
 * causes of any length need no deep stack.
 *
 * @param order indices of exceptions
 * @param isCyclic whether there are references that no order satisfies
 */
record ThrowableGraph(List<Integer> order, boolean isCyclic) {

    /** Returns the order of the first exception and of everything to which it refers. */
    static ThrowableGraph of(List<List<Integer>> links) {
        List<Integer> order = new ArrayList<>();
        boolean isCyclic = false;
        int[] next = new int[links.size()];
        boolean[] isDone = new boolean[links.size()];
        boolean[] isOpen = new boolean[links.size()];
        Deque<Integer> open = new ArrayDeque<>(List.of(0));
        isOpen[0] = true;
        while (!open.isEmpty()) {
            int at = open.element();
            if (next[at] == links.get(at).size()) {
                open.pop();
                isDone[at] = true;
                order.add(at);
                continue;
            }
            int link = links.get(at).get(next[at]++);
            if (!isOpen[link]) {
                isOpen[link] = true;
                open.push(link);
            } else if (!isDone[link]) {
                isCyclic = true;
            }
        }
        return new ThrowableGraph(order, isCyclic);
    }
}
