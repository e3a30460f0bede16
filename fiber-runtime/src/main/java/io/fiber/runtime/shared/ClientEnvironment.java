// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.FiberException;
import io.fiber.ManagerEndpoint;
import io.fiber.runtime.config.ConfigKey;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.discovery.Providers;
import io.fiber.runtime.eventloop.Teardown;
import io.fiber.runtime.platform.AgronaAccess;
import io.fiber.runtime.platform.SessionDirectory;
import io.fiber.runtime.platform.ShellReaper;
import io.fiber.runtime.process.LoggedTransport;
import io.fiber.runtime.process.TransportSettings;
import io.fiber.spi.Options;
import io.fiber.spi.backend.CallerHost;
import io.fiber.spi.serializer.SerializerProvider;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The settings of a client and the providers on its class path.
 *
 * @param config its settings
 * @param providers its providers
 */
record ClientEnvironment(FiberConfig config, Providers providers) {

    /** Looks what is there. */
    static ClientEnvironment pack() {
        Providers providers = Providers.discover();
        FiberConfig config = FiberConfig.load(ConfigSources.system(Map.of()), providers.keys(List.of()));
        AgronaAccess.ensure(config.isOn(ConfigKey.AGRONA_OPEN).orElseThrow());
        return new ClientEnvironment(config, providers);
    }

    /** Returns what fits the program that is visited. */
    Fitting fit(ManagerEndpoint endpoint, AccessGrant.Requirements requirements) {
        TransportProvider transport = providers
                .transport(requirements.transport())
                .orElseThrow(() -> missing(
                        endpoint,
                        "transport",
                        requirements.transport(),
                        providers.transports().names()));
        SerializerProvider serializer = providers
                .serializer(requirements.serializer())
                .orElseThrow(() -> missing(
                        endpoint,
                        "serializer",
                        requirements.serializer(),
                        providers.serializers().names()));
        return new Fitting(config, transport, serializer);
    }

    private static FiberException missing(ManagerEndpoint endpoint, String kind, String name, Object there) {
        return new FiberException(
                "FBR-449",
                "The manager at " + endpoint.address() + " uses the " + kind + " '" + name
                        + "', which this program has not. On its class path: " + there
                        + ". Add the artifact that has it.");
    }

    /**
     * The providers of both programs.
     *
     * @param config the client's settings
     * @param provider the transport
     * @param serializer the serializer
     */
    record Fitting(FiberConfig config, TransportProvider provider, SerializerProvider serializer) {

        Options serializerOptions() {
            return config.optionsOf(serializer);
        }

        /** Makes a transport; what it leaves is removed by the teardown, or when this process is killed. */
        Transport transport(Teardown teardown, Duration lease) {
            String id = SessionDirectory.newId();
            SessionDirectory directory = teardown.add(SessionDirectory.open(id));
            ShellReaper reaper = teardown.add(new ShellReaper(
                    List.of(Path.of(System.getProperty("java.io.tmpdir")).toAbsolutePath(), Path.of("/dev/shm"))));
            reaper.removeAtDeath(directory.path());
            return provider.create(new TransportSettings(
                    id,
                    directory.path(),
                    reaper::removeAtDeath,
                    config.optionsOf(provider),
                    CallerHost.sameHost(),
                    1,
                    lease,
                    new LoggedTransport()));
        }
    }
}
