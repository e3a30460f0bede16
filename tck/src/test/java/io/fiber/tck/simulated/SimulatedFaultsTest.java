// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Secret;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Reaper;
import io.fiber.spi.backend.Submission;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults in virtual time: no thread, no waiting, the same at every run. */
final class SimulatedFaultsTest {

    @TempDir
    Path directory;

    private final VirtualTimeline time = new VirtualTimeline();
    private final SimulatedPlatform platform = new SimulatedPlatform(time);
    private final List<String> told = new ArrayList<>();

    private record Session(Path directory) implements BackendContext {
        @Override
        public String sessionId() {
            return "abcdefghijkl";
        }

        @Override
        public Options options() {
            return Options.none();
        }

        @Override
        public Environment environment() {
            return Environment.system();
        }

        @Override
        public Reaper reaper() {
            return command -> () -> {};
        }
    }

    private Job submit(Backend backend) {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("scripted"))).build();
        return backend.submit(
                        Submission.of(spec, "job", Secret.empty()),
                        event -> told.add(time.nowNs() / 1_000_000
                                + (event instanceof JobEvent.Ended ended
                                        ? " " + ended.termination().describe()
                                        : " " + event.getClass().getSimpleName())))
                .get(0);
    }

    private Backend open() {
        platform.planJobs((spec, name) -> new JobPlan.Script(Duration.ofSeconds(3), JobTermination.exited(4)));
        return platform.provider().create(new Session(directory));
    }

    @Test
    void scriptedJobRunsInVirtualTime() {
        platform.delayStarts(Duration.ofSeconds(2));
        try (Backend backend = open()) {
            submit(backend);
            time.advance(Duration.ofSeconds(10));
            assertThat(told).containsExactly("2000 Running", "5000 exit code 4");
        }
    }

    @Test
    void startFailsAsOftenAsAsked() {
        platform.failNextStarts(1, "no such image");
        try (Backend backend = open()) {
            submit(backend);
            time.advance(Duration.ofSeconds(1));
            submit(backend);
            time.advance(Duration.ofSeconds(1));
            assertThat(told).containsExactly("0 start failed: no such image", "1000 Running");
        }
    }

    @Test
    void preemptionIsAnnouncedBeforeItHappens() {
        try (Backend backend = open()) {
            Job job = submit(backend);
            time.advance(Duration.ofMillis(10));
            platform.preempt(job, Duration.ofMillis(500));
            time.advance(Duration.ofSeconds(1));
            assertThat(told)
                    .containsExactly("0 Running", "10 Preempting", "510 preempted: a more urgent job took the place");
        }
    }

    @Test
    void lostNodeEndsItsJob() {
        try (Backend backend = open()) {
            Job job = submit(backend);
            time.advance(Duration.ofMillis(10));
            platform.loseNode(job);
            time.advance(Duration.ZERO);
            assertThat(told).containsExactly("0 Running", "10 node lost: simulated-host is gone");
        }
    }

    @Test
    void outageWithholdsWhatHappened() {
        try (Backend backend = open()) {
            submit(backend);
            time.advance(Duration.ofMillis(1));
            platform.beginOutage();
            time.advance(Duration.ofSeconds(5));
            assertThat(told).containsExactly("0 Running");
            platform.endOutage();
            time.advance(Duration.ZERO);
            assertThat(told).containsExactly("0 Running", "5001 exit code 4");
        }
    }
}
