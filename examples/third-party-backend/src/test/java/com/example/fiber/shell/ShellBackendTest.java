// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.shell;

import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;
import io.fiber.tck.host.FixtureDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The contract of backends. */
final class ShellBackendTest extends BackendTck {

    @Override
    protected BackendFixture createFixture() {
        return new ShellFixture();
    }

    /** What the kit must know of the backend. */
    public static final class ShellFixture implements BackendFixture {
        private final FixtureDirectory directory = FixtureDirectory.open();

        @Override
        public String name() {
            return "shell";
        }

        @Override
        public BackendProvider provider() {
            return new ShellBackendProvider();
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(Capability.SHARED_FILES, Capability.LOGS, Capability.WORKING_DIRECTORY);
        }

        @Override
        public Path directory() {
            return directory.path();
        }

        @Override
        public Duration startLimit() {
            return Duration.ofSeconds(60);
        }

        /** A second JVM makes a fixture, and is killed: what becomes of its jobs? */
        @Override
        public Optional<Class<? extends BackendFixture>> masterFixture() {
            return Optional.of(ShellFixture.class);
        }

        @Override
        public Variables variables() {
            return Variables.COME_ALONG;
        }

        @Override
        public Optional<Consumer<Job>> killer() {
            return Optional.of(ShellFixture::kill);
        }

        private static void kill(Job job) {
            try {
                String group = Files.readString(Path.of(job.id(), "group")).strip();
                ProcessHandle.of(Long.parseLong(group)).orElseThrow().destroyForcibly();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() {
            directory.close();
        }
    }
}
