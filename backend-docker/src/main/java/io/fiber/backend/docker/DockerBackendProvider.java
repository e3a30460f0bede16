// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Provides the backend {@code docker}, whose jobs are containers of a Docker Engine, or of Podman through its Docker
 * interface. {@code docs/docker.md} describes the options.
 *
 * <p>As on every backend, the requested memory of a Java program is its heap ({@code -Xmx}). Its container may use a
 * quarter more, at least 192 MiB more, and the size of {@code /dev/shm} in addition.
 */
public final class DockerBackendProvider implements BackendProvider {

    static final String NAME = "docker";

    static final Set<Capability> CAPABILITIES = Set.copyOf(EnumSet.of(
            Capability.LOGS,
            Capability.CONSOLE,
            Capability.CPU_LIMIT,
            Capability.MEMORY_LIMIT,
            Capability.GPU,
            Capability.IMAGE,
            Capability.VOLUMES,
            Capability.LABELS,
            Capability.TIME_LIMIT,
            Capability.WORKING_DIRECTORY));

    /** Creates the provider; does nothing else. */
    public DockerBackendProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<OptionKey> options() {
        return DockerOptions.keys();
    }

    @Override
    public Set<Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public Probe probe(Environment environment) {
        Optional<String> named = DaemonAddress.namedIn(environment);
        if (named.isPresent()) {
            return new Probe.Usable(named.get());
        }
        return DaemonAddress.socketOfThisHost(environment)
                .<Probe>map(socket -> new Probe.Usable("the socket " + socket))
                .orElseGet(() -> new Probe.Unusable("there is no socket of Docker or Podman ("
                        + DaemonAddress.socketsOf(environment)
                        + "), and neither DOCKER_HOST nor a context of Docker names another; start Docker, or set"
                        + " fiber.docker.host"));
    }

    @Override
    public Backend create(BackendContext context) {
        DockerOptions options = DockerOptions.of(context.options());
        DaemonAddress address = DaemonAddress.find(options, context.environment());
        Engine engine = Engine.connect(address);
        try {
            return new DockerBackend(context, engine);
        } catch (RuntimeException e) {
            engine.close();
            throw e;
        }
    }
}
