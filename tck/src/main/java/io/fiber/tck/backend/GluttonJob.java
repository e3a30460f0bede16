// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import io.fiber.spec.Resources;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.tck.probe.Glutton;
import java.util.List;
import java.util.Optional;

/** A job that takes far more memory than the 64 MiB that it requests. Its program is a single class. */
public final class GluttonJob {

    private GluttonJob() {}

    /** Returns the spec to submit. */
    public static JobSpec.Builder spec() {
        return JobSpec.builder(new Program.Java(
                        Optional.empty(),
                        List.of("-XX:MaxDirectMemorySize=4g", "-XX:+UseSerialGC"),
                        List.of(BackendFixture.placeOf(Glutton.class)),
                        List.of(),
                        Glutton.class.getName(),
                        List.of()))
                .resources(Resources.memory("64m"));
    }
}
