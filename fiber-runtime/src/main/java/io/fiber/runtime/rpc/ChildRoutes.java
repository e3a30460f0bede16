// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.rpc;

import io.fiber.runtime.protocol.ProcessPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The workers of this process: the queue to each, the processes that exchanged messages with it, and how it ended. Not
 * thread-safe; belongs to the conductor.
 */
final class ChildRoutes {

    /** For this many ended workers it is known how they ended. */
    private static final int MOST_ENDED = 1024;

    private final int depth;
    private final Map<ProcessPath, Branch> byPath = new HashMap<>();
    private final Map<ProcessPath, String> ended = new LinkedHashMap<>();

    ChildRoutes(ProcessPath path) {
        depth = path.depth() + 1;
    }

    void add(ProcessPath child, OutboundQueue queue) {
        byPath.put(child, new Branch(queue, new HashSet<>()));
    }

    /** Returns the worker below which a process is; the process must be below this one. */
    ProcessPath childOf(ProcessPath descendant) {
        return descendant.ancestor(depth);
    }

    /** Returns the queue to a worker; null if it has ended. */
    @Nullable
    OutboundQueue queue(ProcessPath child) {
        Branch branch = byPath.get(child);
        return branch == null ? null : branch.queue();
    }

    String end(ProcessPath child) {
        return ended.getOrDefault(child, "it ended some time ago");
    }

    /** Records that a message between the two has passed through here. */
    void onExchange(ProcessPath from, ProcessPath to) {
        remember(from, to);
        remember(to, from);
    }

    private void remember(ProcessPath one, ProcessPath other) {
        if (one.depth() >= depth) {
            Branch branch = byPath.get(childOf(one));
            if (branch != null) {
                branch.correspondents().add(other);
            }
        }
    }

    /** Removes a worker that has ended; returns the processes that exchanged messages with it, or with one below it. */
    List<ProcessPath> remove(ProcessPath child, String how) {
        Branch branch = byPath.remove(child);
        if (branch == null) {
            return List.of();
        }
        ended.put(child, how);
        if (ended.size() > MOST_ENDED) {
            ended.remove(ended.keySet().iterator().next());
        }
        forget(child);
        List<ProcessPath> told = new ArrayList<>(branch.correspondents());
        told.removeIf(path -> path.isUnder(child));
        return told;
    }

    /** Forgets that a process which has ended, or one below it, exchanged messages with others. */
    void forget(ProcessPath gone) {
        for (Branch branch : byPath.values()) {
            branch.correspondents().removeIf(path -> path.isUnder(gone));
        }
    }

    int flush() {
        int sent = 0;
        for (Branch branch : byPath.values()) {
            sent += branch.queue().flush();
        }
        return sent;
    }

    boolean areEmpty() {
        for (Branch branch : byPath.values()) {
            if (!branch.queue().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private record Branch(OutboundQueue queue, Set<ProcessPath> correspondents) {}
}
