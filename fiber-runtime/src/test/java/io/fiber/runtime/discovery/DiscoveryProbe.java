// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.spi.Environment;
import java.util.List;
import java.util.Map;

/** The main of the JVMs that {@link CodePathDiscoveryTest} starts: selects one of each kind as a session does. */
final class DiscoveryProbe {

    private DiscoveryProbe() {}

    public static void main(String[] arguments) {
        Providers providers = Providers.discover();
        FiberConfig config = FiberConfig.load(ConfigSources.system(Map.of()), providers.keys(List.of()));
        BackendSelection selection = new BackendSelection(providers.backends(), Environment.system());
        System.out.println(selection.select(config).reason() + " "
                + providers.selectTransport(config).reason() + " "
                + providers.selectSerializer(config).reason() + " "
                + providers.backends().providers().iterator().next().getClass().getModule());
    }
}
