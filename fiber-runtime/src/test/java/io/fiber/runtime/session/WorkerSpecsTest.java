// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import io.fiber.runtime.platform.ClassPathSnapshot;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.Capability;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkerSpecsTest {

    @Test
    void theProgramKnowsItsOwnFilesWhereWorkersHaveACopy() {
        SessionAssemblyTest.Throwing backend = new SessionAssemblyTest.Throwing(new IllegalStateException());
        WorkerSpecs specs = new WorkerSpecs(
                FiberConfig.load(ConfigSources.system(Map.of()), KnownKeys.of(List.of(), Set.of())),
                new SessionAssemblyTest.Unused(),
                Optional.empty(),
                new WorkerSpecs.Inheritance(List.of(), CallerHost.Reach.NETWORK, false, backend));

        assertThat(backend.capabilities()).doesNotContain(Capability.SHARED_FILES);
        assertThat(specs.classPath().entries())
                .extracting(ClassPathSnapshot.Entry::path)
                .anyMatch(path -> path.contains("fiber"));
    }
}
