// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import static java.util.Objects.requireNonNull;

import io.fiber.spi.backend.JobTermination;
import java.time.Duration;

/** What a simulated job does once it has started. */
public sealed interface JobPlan {

    /** It runs the main class of its spec, which must be a {@link io.fiber.tck.probe.JobProgram}, in threads. */
    record Program() implements JobPlan {}

    /** It runs {@code program} in threads, whatever its spec says. */
    record Run(io.fiber.tck.probe.JobProgram program) implements JobPlan {
        public Run {
            requireNonNull(program, "program");
        }
    }

    /**
     * It does nothing for a while and then ends; it uses no thread.
     *
     * @param runsFor how long it runs
     * @param termination how it then ends
     */
    record Script(Duration runsFor, JobTermination termination) implements JobPlan {
        public Script {
            requireNonNull(runsFor, "runsFor");
            requireNonNull(termination, "termination");
        }
    }
}
