// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.example;

import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import java.util.Set;

/** What ServiceLoader finds. */
public final class TinyBackendProvider implements BackendProvider {
    @Override
    public String name() {
        return "tiny";
    }

    @Override
    public Probe probe(Environment environment) {
        return new Probe.Usable("every machine can start processes");
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(Capability.SHARED_FILES);
    }

    @Override
    public Backend create(BackendContext context) {
        return new TinyBackend();
    }
}
