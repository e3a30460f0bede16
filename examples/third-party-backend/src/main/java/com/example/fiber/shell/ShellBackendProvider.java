// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.shell;

import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** What ServiceLoader finds. */
public final class ShellBackendProvider implements BackendProvider {

    static final String NAME = "shell";
    static final Set<Capability> CAPABILITIES =
            Set.of(Capability.SHARED_FILES, Capability.LOGS, Capability.WORKING_DIRECTORY);

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Probe probe(Environment environment) {
        String path = environment.variable("PATH").orElse("");
        Optional<Path> setsid = Arrays.stream(path.split(":"))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, "setsid"))
                .filter(Files::isExecutable)
                .findFirst();
        if (setsid.isEmpty()) {
            return new Probe.Unusable("there is no 'setsid' on the PATH " + path + "; install util-linux");
        }
        return new Probe.Usable(setsid.get() + " can start processes");
    }

    @Override
    public Backend create(BackendContext context) {
        try {
            return new ShellBackend(context.directory());
        } catch (IOException e) {
            throw new BackendException("The starter of backend 'shell' cannot be started: " + e.getMessage(), e);
        }
    }
}
