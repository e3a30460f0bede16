// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import static org.awaitility.Awaitility.await;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.host.FixtureDirectory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The cell of {@code dev/gridengine/up}, as the kit sees it. Public with a public constructor, because a second JVM makes one too. */
public final class GridEngineFixture implements BackendFixture {

    private final FixtureDirectory directory = FixtureDirectory.open();
    private volatile boolean isReachable = true;

    @Override
    public String name() {
        return "gridengine";
    }

    @Override
    public BackendProvider provider() {
        return new GridEngineBackendProvider();
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
    public Path directory() {
        return directory.path();
    }

    @Override
    public Duration startLimit() {
        return Duration.ofMinutes(3);
    }

    @Override
    public int slots() {
        return 4;
    }

    @Override
    public Options options() {
        return BackendFixture.options(
                provider(), Map.of("directory", directory().resolve("shared").toString(), "queue", "all.q"));
    }

    /** Grid Engine's programs look for the server at a port where there is none. */
    @Override
    public Environment environment() {
        return new Environment() {
            @Override
            public Optional<String> variable(String name) {
                return name.equals("SGE_QMASTER_PORT") && !isReachable
                        ? Optional.of("9")
                        : Environment.system().variable(name);
            }

            @Override
            public Optional<String> property(String name) {
                return Environment.system().property(name);
            }
        };
    }

    @Override
    public Optional<Outage> outage() {
        return Optional.of(new Outage() {
            @Override
            public void begin() {
                isReachable = false;
            }

            @Override
            public void end() {
                isReachable = true;
            }
        });
    }

    @Override
    public Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.of(GridEngineFixture.class);
    }

    /** The execution daemon notes the process of each task, which leads a group. */
    @Override
    public Optional<Consumer<Job>> killer() {
        return Optional.of(job -> Cell.run(
                "bash",
                "-c",
                "kill -KILL -- -$(cat \"$0\"/../execd/*/active_jobs/\"$1\"/job_pid)",
                Cell.ROOT,
                job.id()));
    }

    /** A job has all slots of the queue. */
    @Override
    public Optional<Fullness> fullness() {
        return Optional.of(new Fullness() {
            private String owner = "";

            @Override
            public void begin() {
                owner = Cell.submit("-q", "all.q", "-pe", "smp", "8", "-b", "y", "-wd", "/", "sleep", "600");
                await("all slots are taken")
                        .atMost(startLimit())
                        .until(() -> Cell.stateOf(owner).equals("r"));
            }

            @Override
            public void end() {
                Cell.run("qdel", owner);
                await("the slots are free")
                        .atMost(endLimit())
                        .until(() -> Cell.stateOf(owner).isEmpty());
            }
        });
    }

    /** What a close could not do while the server did not answer is done by a process that looks for it for minutes. */
    @Override
    public void close() {
        ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains("fiber-gridengine-later"))
                .forEach(ProcessHandle::destroyForcibly);
        directory.close();
    }
}
