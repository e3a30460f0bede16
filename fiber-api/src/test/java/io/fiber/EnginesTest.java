// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnginesTest {

    /** Does nothing: it is found, and that is all. */
    public static class Engine implements FiberEngine {
        @Override
        public FiberBuilder builder() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Fiber current() {
            throw new UnsupportedOperationException();
        }

        @Override
        public ConnectedManager connect(ManagerEndpoint endpoint, Duration limit) {
            throw new UnsupportedOperationException();
        }
    }

    /** Another one. */
    public static final class Other extends Engine {}

    @TempDir
    Path tmp;

    @Test
    void theOneEngineIsTakenThoughTwoClassLoadersSeeIt() throws IOException {
        try (URLClassLoader first = loader(Engine.class.getName());
                URLClassLoader second = loader(Engine.class.getName())) {
            assertThat(Engines.seenBy(List.of(first, second)).single()).isExactlyInstanceOf(Engine.class);
        }
    }

    @Test
    void noEngineIsAnErrorThatSaysWhatBringsOne() {
        assertThatThrownBy(Fiber::open)
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("FBR-117 No engine is on the class path: fiber-api has only the API. The engine is in"
                        + " fiber-runtime, which every backend brings. Add a backend, or fiber-runtime itself.");
    }

    @Test
    void twoEnginesAreAnErrorThatNamesBoth() throws IOException {
        String where = " (" + Engine.class.getProtectionDomain().getCodeSource().getLocation() + ")";
        try (URLClassLoader loader = loader(Engine.class.getName(), Other.class.getName())) {
            Engines engines = Engines.seenBy(List.of(loader));

            assertThatThrownBy(engines::single)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("FBR-118 2 engines are on the class path: " + Engine.class.getName() + where + ", "
                            + Other.class.getName() + where + ". Expected one: remove the others.");
        }
    }

    @Test
    void anEngineThatCannotBeLoadedIsNamed() throws IOException {
        try (URLClassLoader loader = loader("no.Such")) {
            Engines engines = Engines.seenBy(List.of(loader));

            assertThatThrownBy(engines::single)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageStartingWith("FBR-117 ")
                    .hasMessageContaining(" Found, but could not be loaded: ")
                    .hasMessageContaining("no.Such not found")
                    .hasCauseInstanceOf(java.util.ServiceConfigurationError.class);
        }
    }

    private URLClassLoader loader(String... engines) throws IOException {
        Path root = Files.createTempDirectory(tmp, "engines");
        Path services = Files.createDirectories(root.resolve("META-INF/services"));
        Files.write(services.resolve(FiberEngine.class.getName()), List.of(engines));
        return new URLClassLoader(new URL[] {root.toUri().toURL()}, EnginesTest.class.getClassLoader());
    }
}
