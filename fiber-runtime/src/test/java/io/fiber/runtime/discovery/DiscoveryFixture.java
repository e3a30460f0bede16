// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.fiber.ConfigurationException;
import io.fiber.runtime.config.ConfigSources;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendProvider;
import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Class paths of fake jars, and settings, for tests of the selection. */
abstract class DiscoveryFixture {

    static final String USABLE = "return new Probe.Usable(\"always\");";
    static final String ENVIRONMENT = "FIBER_BACKEND";

    @TempDir
    Path directory;

    private final List<URLClassLoader> loaders = new ArrayList<>();

    @AfterEach
    void closeLoaders() throws IOException {
        for (URLClassLoader loader : loaders) {
            loader.close();
        }
    }

    static String inside(String evidence) {
        return "return new Probe.Inside(\"" + evidence + "\");";
    }

    static String unusable(String reason) {
        return "return new Probe.Unusable(\"" + reason + "\");";
    }

    /** Finds the providers of one jar of these contents. */
    Providers providers(FakeJar jar) throws IOException {
        return providersOf(jar.write(directory.resolve("providers.jar")));
    }

    Providers providersOf(Path... jars) throws IOException {
        URLClassLoader loader = FakeJar.loader(jars);
        loaders.add(loader);
        return Providers.discover(List.of(loader));
    }

    Selected<BackendProvider> select(Providers providers, Map<String, String> variables) {
        return new BackendSelection(providers.backends(), Environment.of(variables, Map.of()))
                .select(config(providers, variables));
    }

    FiberConfig config(Providers providers, Map<String, String> variables) {
        return FiberConfig.load(new ConfigSources(Map.of(), Map.of(), variables, directory), providers.keys(List.of()));
    }

    static ThrowableAssertAlternative<ConfigurationException> assertThatFault(ThrowingCallable call) {
        return assertThatExceptionOfType(ConfigurationException.class).isThrownBy(call);
    }
}
