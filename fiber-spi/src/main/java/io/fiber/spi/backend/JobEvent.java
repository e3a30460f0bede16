// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import static java.util.Objects.requireNonNull;

/** Something that happened to a job. */
public sealed interface JobEvent {

    /** Returns the job to which it happened. */
    Job job();

    /**
     * The job waits. Sent only if the platform gives a reason, and again if the reason changes.
     *
     * @param reason the platform's own words: {@code Resources}, {@code Unschedulable: 0/2 nodes ...}
     */
    record Waiting(Job job, String reason) implements JobEvent {
        public Waiting {
            requireNonNull(job, "job");
            requireNonNull(reason, "reason");
        }
    }

    /**
     * The job's program has been started.
     *
     * @param host the host on which it runs, as the platform names it
     */
    record Running(Job job, String host) implements JobEvent {
        public Running {
            requireNonNull(job, "job");
            requireNonNull(host, "host");
        }
    }

    /**
     * The platform has announced that it will end the job soon. Sent only by a backend that declares {@link
     * Capability#PREEMPTION_NOTICE}.
     *
     * @param reason the platform's own words
     */
    record Preempting(Job job, String reason) implements JobEvent {
        public Preempting {
            requireNonNull(job, "job");
            requireNonNull(reason, "reason");
        }
    }

    /** The job has ended. This is its last event. */
    record Ended(Job job, JobTermination termination) implements JobEvent {
        public Ended {
            requireNonNull(job, "job");
            requireNonNull(termination, "termination");
        }
    }
}
