// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import io.fiber.spi.OptionType;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.host.JavaCommand;
import io.fiber.tck.probe.ExitMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The fixture of {@link StandaloneTck}. It is described by system properties whose names begin with {@code
 * fiber.tck.standalone.}, so that a second JVM can create the same one.
 */
public final class StandaloneFixture implements BackendFixture {

    static final String PREFIX = "fiber.tck.standalone.";

    private final BackendProvider provider =
            StandaloneOptions.backend(setting("backend").orElseThrow());
    private final FixtureDirectory directory = FixtureDirectory.open();

    /** Creates the fixture that the system properties describe. */
    public StandaloneFixture() {}

    private static Optional<String> setting(String name) {
        return StandaloneOptions.setting(name);
    }

    @Override
    public String name() {
        return setting("backend").orElseThrow();
    }

    @Override
    public BackendProvider provider() {
        return provider;
    }

    /** Returns what the provider declares, because nothing else is known. */
    @Override
    public Set<Capability> capabilities() {
        return provider.capabilities();
    }

    @Override
    public JobSpec.Builder javaJob(Class<?> main, String... arguments) {
        boolean shared = provider.capabilities().contains(Capability.SHARED_FILES);
        Optional<String> java =
                setting("java").or(() -> shared ? Optional.of(JavaCommand.executable()) : Optional.empty());
        String classPath = setting("class-path").orElse(System.getProperty("java.class.path"));
        List<String> entries = Arrays.stream(classPath.split(":", -1))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> shared ? Path.of(entry).toAbsolutePath().toString() : entry)
                .toList();
        JobSpec.Builder builder = JobSpec.builder(
                new Program.Java(java, List.of("-Xmx64m"), entries, List.of(), main.getName(), List.of(arguments)));
        setting("image").ifPresent(builder::image);
        return builder;
    }

    /** Returns a Java program, because it is not known which commands a job of the platform finds. */
    @Override
    public JobSpec.Builder briefJob() {
        return javaJob(ExitMain.class, "0");
    }

    @Override
    public Path directory() {
        return directory.path();
    }

    @Override
    public Duration startLimit() {
        return OptionType.parseDuration(setting("start-limit").orElse("60s"));
    }

    @Override
    public Duration orphanLimit() {
        return setting("orphan-limit").map(OptionType::parseDuration).orElseGet(BackendFixture.super::orphanLimit);
    }

    /** Returns that it is unknown, because only a fixture can tell. */
    @Override
    public Variables variables() {
        return Variables.UNKNOWN;
    }

    @Override
    public int slots() {
        return Integer.parseInt(setting("slots").orElse("3"));
    }

    @Override
    public Options options() {
        return StandaloneOptions.options(provider);
    }

    @Override
    public Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.of(StandaloneFixture.class);
    }

    @Override
    public void close() {
        directory.close();
    }
}
