// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.fault.Signal;
import io.fiber.tck.host.FixtureDirectory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** This host as the kit sees it. Public with a public constructor, because a second JVM makes one too. */
public final class LocalFixture implements BackendFixture {

    private final FixtureDirectory directory = FixtureDirectory.open();

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
                Capability.GPU,
                Capability.TIME_LIMIT,
                Capability.WORKING_DIRECTORY,
                Capability.SHARED_FILES);
    }

    @Override
    public Options options() {
        return BackendFixture.options(provider(), Map.of("gpus", "0,1"));
    }

    @Override
    public int gpus() {
        return 2;
    }

    @Override
    public Path directory() {
        return directory.path();
    }

    @Override
    public Duration startLimit() {
        return Duration.ofSeconds(60);
    }

    @Override
    public Duration leakLimit() {
        return Duration.ofSeconds(30);
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
    public Variables variables() {
        return Variables.COME_ALONG;
    }

    @Override
    public Optional<Suspension> suspension() {
        return Optional.of(new Suspension() {
            @Override
            public void begin(Job job) {
                Signal.STOP.send(Long.parseLong(job.id()));
            }

            @Override
            public void end(Job job) {
                Signal.CONTINUE.send(Long.parseLong(job.id()));
            }
        });
    }

    /** Names of jobs, which are in the command lines of the kit's programs, contain the session's id. */
    @Override
    public Optional<List<String>> left(String sessionId) {
        return Optional.of(ProcessHandle.current()
                .descendants()
                .map(process -> Path.of("/proc", String.valueOf(process.pid()), "cmdline"))
                .map(LocalFixture::words)
                .filter(words -> words.contains("tck-" + sessionId))
                .toList());
    }

    /** Returns nothing of a process that has ended since. */
    private static String words(Path commandLine) {
        try {
            return Files.readString(commandLine, StandardCharsets.ISO_8859_1).replace('\0', ' ');
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        directory.close();
    }
}
