// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.awaitility.Awaitility.await;

import io.fiber.backend.slurm.ssh.SshOptions;
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
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A real cluster as the kit sees it. The directory for temporary files of this JVM must be one that all nodes
 * see. Public with a public constructor, because a second JVM makes one too.
 */
public class SlurmFixture implements BackendFixture {

    /** Where jobs have a grace time when others need their places. */
    static final String PREEMPTED_WITH_NOTICE = "grace";

    /** For tests in which nobody answers what the cluster's settings are. */
    static final Optional<Duration> COMMAND_LIMIT = Optional.of(Duration.ofSeconds(20));

    /** The variable that names the client of SSH. */
    static final String CLIENT = "FIBER_SLURM_SSH";

    private static final String CONFIGURATION = "SLURM_CONF";

    private final FixtureDirectory directory = FixtureDirectory.open();
    private volatile Optional<Path> deadConfiguration = Optional.empty();

    @Override
    public String name() {
        return "slurm";
    }

    @Override
    public BackendProvider provider() {
        return new SlurmBackendProvider();
    }

    @Override
    public Set<Capability> capabilities() {
        return EnumSet.of(
                Capability.LOGS,
                Capability.CONSOLE,
                Capability.CPU_LIMIT,
                Capability.MEMORY_LIMIT,
                Capability.GPU,
                Capability.LABELS,
                Capability.TIME_LIMIT,
                Capability.RESTARTS,
                Capability.WORKING_DIRECTORY,
                Capability.SHARED_FILES,
                Capability.PREEMPTION_NOTICE);
    }

    @Override
    public Path directory() {
        return directory.path();
    }

    @Override
    public Duration startLimit() {
        return Duration.ofMinutes(3);
    }

    /** A time limit may be noticed 30 s late by Slurm, then comes KillWait, and who is quiet is asked about every 20 s. */
    @Override
    public Duration endLimit() {
        return Duration.ofMinutes(3);
    }

    /** KillWait comes on top of the promise. */
    @Override
    public Duration orphanLimit() {
        return Duration.ofSeconds(35);
    }

    @Override
    public Duration shortestTimeLimit() {
        return Duration.ofMinutes(1);
    }

    @Override
    public int slots() {
        return 4;
    }

    @Override
    public Options options() {
        return options(Map.of(
                SiteOptions.DIRECTORY, directory().resolve("shared").toString(), "partition", PREEMPTED_WITH_NOTICE));
    }

    /** Returns options of the backend. */
    public static Options options(Map<String, String> values) {
        Map<String, String> all = new TreeMap<>(values);
        Optional.ofNullable(System.getenv(CLIENT))
                .filter(client -> values.containsKey(SshOptions.HOST))
                .ifPresent(client -> all.putIfAbsent(SshOptions.CLIENT, client));
        return BackendFixture.options(new SlurmBackendProvider(), all);
    }

    @Override
    public Environment environment() {
        return new Environment() {
            @Override
            public Optional<String> variable(String name) {
                return name.equals(CONFIGURATION)
                        ? deadConfiguration
                                .map(Path::toString)
                                .or(() -> Environment.system().variable(name))
                        : Environment.system().variable(name);
            }

            @Override
            public Optional<String> property(String name) {
                return Environment.system().property(name);
            }
        };
    }

    @Override
    public Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.of(SlurmFixture.class);
    }

    /** Slurm's programs look for a controller where there is none. */
    @Override
    public Optional<Outage> outage() {
        return Optional.of(new Outage() {
            @Override
            public void begin() {
                try {
                    String text = Files.readString(Path.of(System.getenv(CONFIGURATION)));
                    Path dead = directory().resolve("dead.conf");
                    Files.writeString(dead, text.replaceAll("(?m)^SlurmctldPort=.*$", "SlurmctldPort=9"));
                    deadConfiguration = Optional.of(dead);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void end() {
                deadConfiguration = Optional.empty();
            }
        });
    }

    @Override
    public Optional<Consumer<Job>> killer() {
        return Optional.of(job -> Cluster.run("scancel", "--signal=KILL", "--batch", job.id()));
    }

    /** The submitting process's variables, as is usual with sbatch. */
    @Override
    public Variables variables() {
        return Variables.COME_ALONG;
    }

    @Override
    public Optional<Suspension> suspension() {
        return Optional.of(new Suspension() {
            @Override
            public void begin(Job job) {
                signal("STOP", job);
            }

            @Override
            public void end(Job job) {
                signal("CONT", job);
            }
        });
    }

    /** To all processes of a job; only administrators may have Slurm suspend it. */
    private static void signal(String name, Job job) {
        Cluster.run("scancel", "--full", "--signal=" + name, job.id());
    }

    @Override
    public Optional<String> hostOf(Job job) {
        return Optional.of(
                Cluster.run("squeue", "-h", "-j", job.id(), "-o", "%N").strip());
    }

    /** In any state; the session is in the name of each job. */
    @Override
    public Optional<List<String>> left(String sessionId) {
        return Optional.of(Cluster.run("squeue", "-h", "-o", "%i %T %j")
                .lines()
                .filter(line -> line.contains(sessionId))
                .toList());
    }

    /** A job of a higher priority needs the whole node. */
    @Override
    public Optional<Consumer<Job>> preempter() {
        return Optional.of(job -> {
            String node =
                    Cluster.run("squeue", "-h", "-j", job.id(), "-o", "%N").strip();
            Cluster.takeNodes(directory(), "--nodelist=" + node, "--wrap=true");
        });
    }

    /** A job of a higher priority has all nodes. */
    @Override
    public Optional<Fullness> fullness() {
        return Optional.of(new Fullness() {
            private String owner = "";

            @Override
            public void begin() {
                long nodes = Cluster.run("sinfo", "-h", "-N", "-o", "%N")
                        .lines()
                        .distinct()
                        .count();
                owner = Cluster.takeNodes(directory(), "--nodes=" + nodes, "--wrap=sleep 600");
                await("all nodes are taken")
                        .atMost(startLimit())
                        .until(() -> Cluster.run("squeue", "-h", "-j", owner, "-o", "%T")
                                .strip()
                                .equals("RUNNING"));
            }

            @Override
            public void end() {
                Cluster.run("scancel", owner);
            }
        });
    }

    @Override
    public Optional<Map<String, String>> labelsOf(Job job) {
        Map<String, String> labels = new TreeMap<>();
        for (String label : Cluster.run("squeue", "-h", "-j", job.id(), "-O", "Comment:.400")
                .strip()
                .split(",", -1)) {
            String[] parts = label.split("=", 2);
            labels.put(parts[0], parts[parts.length - 1]);
        }
        return Optional.of(labels);
    }

    /** What a close could not do while the controller did not answer is done by a process that looks for one for minutes. */
    @Override
    public void close() {
        ProcessHandle.current()
                .children()
                .filter(child -> child.info().commandLine().orElse("").contains("fiber-slurm-later"))
                .forEach(ProcessHandle::destroyForcibly);
        directory.close();
    }
}
