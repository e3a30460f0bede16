// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.backend.BackendProvider;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProviderCatalogTest extends DiscoveryFixture {

    private static final String SERVICE = "io.fiber.spi.backend.BackendProvider";

    @Test
    void findsEveryProviderByName() throws IOException {
        Providers providers = providers(new FakeJar()
                .backend("Orbit", "orbit", USABLE)
                .backend("Grid", "my-grid2", USABLE)
                .transport("Pigeon", "pigeon"));

        assertThat(providers.backends().names()).containsExactly("my-grid2", "orbit");
        assertThat(providers.transports().names()).containsExactly("pigeon");
        assertThat(providers.backends().broken()).isEmpty();
    }

    @Test
    void contextClassLoaderIsAskedFirst() throws IOException {
        Path jar = new FakeJar().backend("Orbit", "orbit", USABLE).write(directory.resolve("orbit.jar"));
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (var loader = FakeJar.loader(jar)) {
            thread.setContextClassLoader(loader);
            assertThat(Providers.discover().backends().names()).contains("orbit");
            thread.setContextClassLoader(null);
            assertThat(Providers.discover().backends().names()).doesNotContain("orbit");
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    @Test
    void twoProvidersOfOneNameAreRefusedWithClassesAndJars() throws IOException {
        Path first = new FakeJar().backend("B", "slurm", USABLE).write(directory.resolve("x.jar"));
        Path second = new FakeJar().backend("D", "slurm", USABLE).write(directory.resolve("y.jar"));
        Providers providers = providersOf(first, second);

        assertThatFault(() -> select(providers, Map.of(ENVIRONMENT, "slurm")))
                .withMessage("FBR-103 Two providers are named 'slurm': fake.B (" + first + ") and fake.D (" + second
                        + "). Remove one from the class path.");
    }

    @Test
    void sameClassSeenByTwoLoadersCountsOnce() throws IOException {
        Path jar = new FakeJar().backend("B", "slurm", USABLE).write(directory.resolve("x.jar"));
        try (var parent = FakeJar.loader(jar);
                var child = new URLClassLoader(new URL[0], parent)) {
            Providers providers = Providers.discover(List.of(child, parent));
            assertThat(select(providers, Map.of()).provider().name()).isEqualTo("slurm");
        }
    }

    @Test
    void providerOfAnotherSpiIsRefused() throws IOException {
        Path jar = new FakeJar()
                .backend("B", "slurm", USABLE, "public int spiVersion() { return 2; }")
                .write(directory.resolve("x.jar"));
        assertThatFault(() -> select(providersOf(jar), Map.of()))
                .withMessage("FBR-108 Provider fake.B (" + jar
                        + ") was built for SPI 2; this is SPI 1. Align the versions with fiber-bom.");
    }

    @Test
    void badNameIsRefused() throws IOException {
        Path jar = new FakeJar().backend("B", "My Grid", USABLE).write(directory.resolve("x.jar"));
        assertThatFault(() -> select(providersOf(jar), Map.of()))
                .withMessage("FBR-114 Provider fake.B (" + jar
                        + ") has the name 'My Grid', which is not of the form [a-z][a-z0-9-]*."
                        + " Correct its name() or remove it from the class path.");
    }

    @Test
    void servicesFileThatCannotBeReadHidesNoOtherJar() throws IOException {
        Path broken = new FakeJar()
                .backend("Hidden", "hidden", USABLE)
                .service(SERVICE, "not a class name")
                .write(directory.resolve("broken.jar"));
        Path good = new FakeJar().backend("Good", "good", USABLE).write(directory.resolve("good.jar"));
        ProviderCatalog<BackendProvider> backends = providersOf(broken, good).backends();

        assertThat(backends.names()).containsExactly("good");
        assertThat(backends.broken()).singleElement().asString().contains("broken.jar", "Illegal");
    }

    @Test
    void providerThatCannotBeAskedIsBroken() throws IOException {
        Path jar = new FakeJar()
                .backend("Nameless", "x\" + List.of().get(0) + \"", USABLE)
                .backend(
                        "Optionless",
                        "optionless",
                        USABLE,
                        "public List<OptionKey> options() { throw new NoClassDefFoundError(\"a/B\"); }")
                .backend("Good", "good", USABLE)
                .write(directory.resolve("x.jar"));
        ProviderCatalog<BackendProvider> backends = providersOf(jar).backends();

        assertThat(backends.names()).containsExactly("good");
        assertThat(backends.broken())
                .hasSize(2)
                .contains("fake.Optionless (" + jar
                        + ") failed to return its name, version and options: java.lang.NoClassDefFoundError: a/B")
                .first()
                .asString()
                .startsWith("fake.Nameless (" + jar
                        + ") failed to return its name, version and options: java.lang.ArrayIndexOutOfBoundsException");
    }

    @Test
    void brokenProvidersHideNoOthersAndAreToldInErrors() throws IOException {
        Providers providers = providersOf(new FakeJar()
                .backend("Missing", "missing", USABLE)
                .backend(
                        "Throwing",
                        "throwing",
                        USABLE,
                        "public Throwing() { throw new IllegalStateException(\"no luck\"); }")
                .backend("Good", "good", USABLE)
                .write(directory.resolve("x.jar"), "fake/Missing.class"));

        assertThatFault(() -> select(providers, Map.of(ENVIRONMENT, "missing")))
                .withMessage("FBR-102 Unknown backend 'missing' (from environment variable FIBER_BACKEND). On the class"
                        + " path: [good]. Found, but could not"
                        + " be loaded:"
                        + " " + SERVICE + ": Provider fake.Missing not found; "
                        + SERVICE + ": Provider fake.Throwing could not be instantiated: "
                        + "java.lang.IllegalStateException: no luck.");
        assertThat(select(providers, Map.of()).provider().name()).isEqualTo("good");
    }
}
