// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import io.fiber.spi.Secret;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.util.List;
import java.util.Optional;

/**
 * Shows what a backend would submit. Thread-safe; may block as {@link Backend#preview} does.
 *
 * @param backend that is asked
 */
public record JobPreview(Backend backend) {

    /** Every worker has bootstrap bytes, so there are some; but not those of anybody. */
    private static final Secret STAND_IN = Secret.of(new byte[1]);

    /** Returns what would be submitted for workers of these names, if the backend shows it. */
    public Optional<String> of(JobSpec spec, List<String> names) {
        return backend.preview(new Submission(
                spec,
                names.stream()
                        .map(name -> new Submission.Instance(name, STAND_IN))
                        .toList()));
    }
}
