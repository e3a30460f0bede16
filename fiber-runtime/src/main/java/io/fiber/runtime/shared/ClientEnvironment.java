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
import io.fiber.runtime.process.TransportSettings;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.CallerHost;
import io.fiber.spi.serializer.ObjectSerializer;
import io.fiber.spi.serializer.SerializerProvider;
import io.fiber.spi.transport.Transport;
import io.fiber.spi.transport.TransportProvider;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The settings of a client and the providers on its class path. */
record ClientEnvironment(FiberConfig config, Providers providers) {

    /** Looks what is there. */
    static ClientEnvironment pack() {
        Providers providers = Providers.discover();
        FiberConfig config = FiberConfig.load(ConfigSources.system(Map.of()), providers.keys(List.of()));
        AgronaAccess.ensure(config);
        return new ClientEnvironment(config, providers);
    }

    /** Returns how long the other side may be silent before it has said how long it is. */
    Duration lease() {
        return config.duration(ConfigKey.LEASE);
    }

    /** Returns the codecs by the serializer of the program that is visited. */
    Codecs codecs(ManagerEndpoint endpoint, String serializer, UnaryOperator<ObjectSerializer> binding) {
        SerializerProvider provider = providers
                .serializer(serializer)
                .orElseThrow(() -> new FiberException(
                        "FBR-449",
                        "The manager at " + endpoint.address() + " uses the serializer '" + serializer
                                + "', which this program has not. On its class path: "
                                + providers.serializers().names() + ". Add the artifact that has it."));
        return Codecs.of(provider, config.optionsOf(provider), Side.CLIENT, binding);
    }

    /** Returns the transport by which managers of other programs are dialled. */
    TransportProvider transport() {
        return providers.listeningTransport(config.text(ConfigKey.TRANSPORT));
    }

    /** Makes a transport; what it leaves is removed by the teardown, or when this process is killed. */
    Transport open(TransportProvider provider, Teardown teardown) {
        String id = SessionDirectory.newId();
        SessionDirectory directory = teardown.add(SessionDirectory.open(id));
        ShellReaper reaper = teardown.add(ShellReaper.of(directory));
        return provider.create(new TransportSettings(
                id,
                directory.path(),
                reaper::removeAtDeath,
                config.optionsOf(provider),
                CallerHost.sameHost(),
                1,
                lease()));
    }
}
