// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendProvider;

/** A second backend that calls itself {@code local}; registered by the test that needs it. */
public final class TwinProvider implements BackendProvider {

    /** Creates the provider. */
    public TwinProvider() {}

    @Override
    public String name() {
        return "local";
    }

    @Override
    public Probe probe(Environment environment) {
        return new Probe.Usable("it says so");
    }

    @Override
    public Backend create(BackendContext context) {
        throw new BackendException("It starts nothing.");
    }
}
