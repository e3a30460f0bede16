// SPDX-License-Identifier: Apache-2.0
package com.example.fiber.pbs;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The contract of backends, on a small PBS of its own for each clause. */
final class PbsBackendTest extends BackendTck {

    @Override
    protected BackendFixture createFixture() {
        return new PbsFixture();
    }

    /** What the kit must know of the backend. */
    public static final class PbsFixture implements BackendFixture {
        /** By which a second JVM has the same PBS. */
        private static final String PBS = "fiber.tck.pbs";

        private final FixtureDirectory directory = FixtureDirectory.open();
        private final SmallPbs pbs = Optional.ofNullable(System.getProperty(PBS))
                .map(shared -> new SmallPbs(Path.of(shared)))
                .orElseGet(() -> SmallPbs.in(directory.path()));

        @Override
        public String name() {
            return "pbs";
        }

        @Override
        public BackendProvider provider() {
            return new PbsBackendProvider();
        }

        @Override
        public Set<Capability> capabilities() {
            return Set.of(
                    Capability.CONSOLE,
                    Capability.CPU_LIMIT,
                    Capability.LOGS,
                    Capability.MEMORY_LIMIT,
                    Capability.SHARED_FILES,
                    Capability.TIME_LIMIT,
                    Capability.WORKING_DIRECTORY);
        }

        @Override
        public Options options() {
            return BackendFixture.options(
                    provider(),
                    Map.of(
                            "directory", pbs.directory().resolve("shared").toString(),
                            "address", "127.0.0.1",
                            "poll-interval", "200ms"));
        }

        @Override
        public Environment environment() {
            return pbs.environment();
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
            System.setProperty(PBS, pbs.directory().toString());
            return Optional.of(PbsFixture.class);
        }

        @Override
        public Optional<Consumer<Job>> killer() {
            return Optional.of(job -> pbs.kill(job.id()));
        }

        @Override
        public Optional<Outage> outage() {
            return Optional.of(new Outage() {
                @Override
                public void begin() {
                    create(pbs.down());
                }

                @Override
                public void end() {
                    delete(pbs.down());
                }
            });
        }

        @Override
        public Optional<Slowness> slowness() {
            return Optional.of(new Slowness() {
                @Override
                public void begin() {
                    create(pbs.slow());
                }

                @Override
                public void end() {
                    delete(pbs.slow());
                }
            });
        }

        @Override
        public Optional<Runnable> answerLoss() {
            return Optional.of(() -> create(pbs.lost()));
        }

        private static void create(Path file) {
            try {
                Files.createFile(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static void delete(Path file) {
            try {
                Files.delete(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Optional<Suspension> suspension() {
            return Optional.of(new Suspension() {
                @Override
                public void begin(Job job) {
                    pbs.suspend(job.id());
                }

                @Override
                public void end(Job job) {
                    pbs.resume(job.id());
                }
            });
        }

        /** The queue belongs to this fixture, so that all jobs are those of its sessions. */
        @Override
        public Optional<List<String>> left(String sessionId) {
            return Optional.of(pbs.left());
        }

        @Override
        public void close() {
            System.clearProperty(PBS);
            pbs.awaitEnds();
            directory.close();
        }
    }
}
