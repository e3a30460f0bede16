// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.tck.BackendFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** This host as the compatibility kit sees it. Public with a public constructor, because a second JVM makes one too. */
public final class LocalFixture implements BackendFixture {

    private final Path directory;

    public LocalFixture() {
        try {
            directory = Files.createTempDirectory("fiber-local-tck");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String name() {
        return "local";
    }

    @Override
    public BackendProvider provider() {
        return new LocalBackendProvider();
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(
                Capability.LOGS,
                Capability.CONSOLE,
                Capability.CPU_LIMIT,
                Capability.MEMORY_LIMIT,
                Capability.TIME_LIMIT,
                Capability.WORKING_DIRECTORY,
                Capability.SHARED_FILES);
    }

    @Override
    public JobSpec.Builder javaJob(Class<?> main, String... arguments) {
        return LocalSession.java(main, List.of(), arguments);
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public Duration startLimit() {
        return Duration.ofSeconds(20);
    }

    @Override
    public Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.of(LocalFixture.class);
    }

    @Override
    public Optional<Consumer<Job>> killer() {
        return Optional.of(
                job -> ProcessHandle.of(Long.parseLong(job.id())).orElseThrow().destroyForcibly());
    }

    @Override
    public void close() {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
