// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import static org.awaitility.Awaitility.await;

import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.host.FixtureDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The cell of {@code dev/gridengine/up}, as the kit sees it. Public with a public constructor, because a second JVM makes one too. */
public final class GridEngineFixture implements BackendFixture {

    /** In front of the real qsub: a server that is slow, or whose answer is lost. */
    private static final String QSUB = """
            #!/bin/sh
            while [ -e "${0%%/*}/slow" ]; do sleep 0.1; done
            if rm "${0%%/*}/lose" 2>/dev/null; then
                %1$s "$@" >/dev/null
                echo 'error: commlib error: got read error (closing "localhost/qmaster/1")' >&2
                exit 1
            fi
            exec %1$s "$@"
            """;

    private final FixtureDirectory directory = FixtureDirectory.open();
    private final Path bin;
    private volatile boolean isReachable = true;

    /** Puts a program in front of qsub. */
    public GridEngineFixture() {
        try {
            bin = Files.createDirectory(directory.path().resolve("bin"));
            Path qsub = Files.writeString(
                    bin.resolve("qsub"),
                    QSUB.formatted(
                            LocalCommands.find("qsub", Environment.system()).orElseThrow()));
            Files.setPosixFilePermissions(qsub, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path mark(String name) {
        try {
            return Files.createFile(bin.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

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
                Optional<String> own = Environment.system().variable(name);
                return switch (name) {
                    case "SGE_QMASTER_PORT" -> isReachable ? own : Optional.of("9");
                    case "PATH" -> own.map(path -> bin + ":" + path);
                    default -> own;
                };
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

    /** Only a sge_request file with -V would hand them on. */
    @Override
    public Variables variables() {
        return Variables.STAY;
    }

    @Override
    public Optional<Slowness> slowness() {
        return Optional.of(new Slowness() {
            private Path slow = bin;

            @Override
            public void begin() {
                slow = mark("slow");
            }

            @Override
            public void end() {
                try {
                    Files.delete(slow);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        });
    }

    @Override
    public Optional<Runnable> answerLoss() {
        return Optional.of(() -> mark("lose"));
    }

    @Override
    public Optional<Suspension> suspension() {
        return Optional.of(new Suspension() {
            @Override
            public void begin(Job job) {
                Cell.run("qmod", "-sj", job.id());
            }

            @Override
            public void end(Job job) {
                Cell.run("qmod", "-usj", job.id());
            }
        });
    }

    @Override
    public Optional<String> hostOf(Job job) {
        return Cell.row(job.id()).map(row -> row.replaceFirst(".*@(\\S+).*", "$1"));
    }

    @Override
    public Optional<List<String>> left(String sessionId) {
        return Optional.of(Cell.left(sessionId));
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
