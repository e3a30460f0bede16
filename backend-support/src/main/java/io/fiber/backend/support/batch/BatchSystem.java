// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import io.fiber.spi.backend.JobSpec;
import java.util.Collection;
import java.util.List;

/**
 * A batch system, as {@link BatchBackend} needs it: how a script begins, how it is submitted, the state of jobs, and
 * how they are ended. The methods with a default are for systems that can do more. Thread-safe.
 */
public interface BatchSystem extends Scheduler, Place {

    /** Returns how many jobs one submission may have; a larger one is divided. No limit by default. */
    default int mostJobs() {
        return Integer.MAX_VALUE;
    }

    @Override
    default int reserve(JobSpec spec, int count) {
        return Math.min(count, mostJobs());
    }

    /** Returns the places for jobs of a spec, in the order in which they are filled. By default, only this queue. */
    default List<Place> places(JobSpec spec) {
        return List.of(this);
    }

    /**
     * Returns the command that removes jobs from the queue if this process is gone. None by default: such jobs then run
     * nothing, but only when their turn comes.
     */
    default List<String> endCommand(Collection<String> ids) {
        return List.of();
    }

    /**
     * Returns the command that removes all jobs of the session from the queue, including those whose submission was not
     * answered. It is for systems that find jobs by a part of their name; none by default.
     */
    default List<String> endSessionCommand() {
        return List.of();
    }
}
