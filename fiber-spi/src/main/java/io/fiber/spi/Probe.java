// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

import static java.util.Objects.requireNonNull;

/**
 * What a provider found out about the machine on which it runs. Each answer includes the evidence, for people to read.
 * It appears in errors and in the log line that says why a backend was selected.
 */
public sealed interface Probe {

    /** This process runs inside the provider's platform; {@code evidence} is, for example, {@code SLURM_JOB_ID=7}. */
    record Inside(String evidence) implements Probe {
        public Inside {
            requireNonNull(evidence, "evidence");
        }
    }

    /** The platform can be used from here, but this process is not one of its jobs. */
    record Usable(String evidence) implements Probe {
        public Usable {
            requireNonNull(evidence, "evidence");
        }
    }

    /** The platform cannot be used from here; {@code reason} says what was looked for, where, and what to do. */
    record Unusable(String reason) implements Probe {
        public Unusable {
            requireNonNull(reason, "reason");
        }
    }
}
