// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.host.FixtureDirectory;
import io.fiber.tck.probe.ExitMain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A platform of its own for each test, in this JVM. */
public class SimulatedFixture implements BackendFixture {

    private final SimulatedPlatform platform = new SimulatedPlatform();
    private final FixtureDirectory directory = FixtureDirectory.open();

    public SimulatedPlatform platform() {
        return platform;
    }

    @Override
    public String name() {
        return "simulated";
    }

    @Override
    public BackendProvider provider() {
        return platform.provider();
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.LOGS,
                Capability.CONSOLE,
                Capability.LABELS,
                Capability.TIME_LIMIT,
                Capability.RESTARTS,
                Capability.WORKING_DIRECTORY,
                Capability.SHARED_FILES,
                Capability.PREEMPTION_NOTICE);
    }

    @Override
    public JobSpec.Builder javaJob(Class<?> main, String... arguments) {
        return JobSpec.builder(new Program.Java(
                Optional.empty(), List.of(), List.of(), List.of(), main.getName(), List.of(arguments)));
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
    public Duration shortestTimeLimit() {
        return Duration.ofMillis(200);
    }

    @Override
    public Optional<Class<? extends BackendFixture>> masterFixture() {
        return Optional.of(SimulatedFixture.class);
    }

    @Override
    public Optional<Outage> outage() {
        return Optional.of(new Outage() {
            @Override
            public void begin() {
                platform.beginOutage();
            }

            @Override
            public void end() {
                platform.endOutage();
            }
        });
    }

    @Override
    public Duration outageLength() {
        return Duration.ofMillis(300);
    }

    @Override
    public JobSpec.Builder briefJob() {
        return javaJob(ExitMain.class, "0");
    }

    @Override
    public Optional<Fullness> fullness() {
        return Optional.of(new Fullness() {
            @Override
            public void begin() {
                platform.fill();
            }

            @Override
            public void end() {
                platform.empty();
            }
        });
    }

    @Override
    public Optional<Consumer<Job>> killer() {
        return Optional.of(platform::kill);
    }

    @Override
    public Optional<Consumer<Job>> preempter() {
        return Optional.of(job -> platform.preempt(job, Duration.ofMillis(50)));
    }

    @Override
    public Optional<String> hostOf(Job job) {
        return Optional.of("simulated-host");
    }

    @Override
    public Optional<Map<String, String>> labelsOf(Job job) {
        return platform.labelsOf(job);
    }

    @Override
    public Optional<Slowness> slowness() {
        return Optional.of(new Slowness() {
            @Override
            public void begin() {
                platform.beginSlowness();
            }

            @Override
            public void end() {
                platform.endSlowness();
            }
        });
    }

    @Override
    public Optional<Runnable> answerLoss() {
        return Optional.of(platform::loseNextAnswer);
    }

    @Override
    public Optional<Suspension> suspension() {
        return Optional.of(new Suspension() {
            @Override
            public void begin(Job job) {
                platform.suspend(job);
            }

            @Override
            public void end(Job job) {
                platform.resume(job);
            }
        });
    }

    @Override
    public Optional<Consumer<Job>> restarter() {
        return Optional.of(platform::restart);
    }

    @Override
    public Optional<List<String>> left(String sessionId) {
        return Optional.of(platform.left(sessionId));
    }

    @Override
    public void close() {
        directory.close();
    }
}
