// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one run of a kit where several runs are made beside each other in one JVM. For a run that starts on a
 * thread of such a group, the check for threads that were left looks at this group, and at threads of no group of this
 * kind; a thread belongs to the group of the one that created it. Thread-safe.
 */
public final class RunGroup extends ThreadGroup {

    /** Creates a group below that of the calling thread. */
    public RunGroup(String name) {
        super(name);
    }

    /** Returns the run that a thread belongs to; empty for a thread of no run, and for one that has ended. */
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
