// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import java.util.EnumSet;
import java.util.Set;

/** Opens backends named {@code simulated} on one platform. Thread-safe. */
public final class SimulatedBackendProvider implements BackendProvider {

    static final String NAME = "simulated";

    static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.of(
            Capability.LOGS,
            Capability.CONSOLE,
            Capability.LABELS,
            Capability.TIME_LIMIT,
            Capability.RESTARTS,
            Capability.WORKING_DIRECTORY,
            Capability.SHARED_FILES,
            Capability.PREEMPTION_NOTICE));

    private final SimulatedPlatform platform;

    /** Creates a provider with a platform of its own, in real time. */
    public SimulatedBackendProvider() {
        this(new SimulatedPlatform());
    }

    SimulatedBackendProvider(SimulatedPlatform platform) {
        this.platform = platform;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Probe probe(Environment environment) {
        return new Probe.Usable("the simulated platform is part of this JVM");
    }

    @Override
    public Backend create(BackendContext context) {
        platform.checkReachable("open a backend");
        return new SimulatedBackend(platform, context);
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }
}
