// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.host;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one run of a kit, if one JVM executes several runs at the same time. For a run in a thread of such a
 * group, the check for remaining threads considers this group and threads of no such group. A thread belongs to the
 * group of its creator. Thread-safe.
 */
public final class RunGroup extends ThreadGroup {

    /** Creates a group below that of the calling thread. */
    public RunGroup(String name) {
        super(name);
    }

    /** Returns the run to which a thread belongs; empty for a thread of no run, and for one that has ended. */
    static Optional<RunGroup> of(Thread thread) {
        @Nullable ThreadGroup group = thread.getThreadGroup();
        while (group != null) {
            if (group instanceof RunGroup run) {
                return Optional.of(run);
            }
            group = group.getParent();
        }
        return Optional.empty();
    }
}
