// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spi.Secret;
import io.fiber.spi.backend.JobEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A fault that is none of Slurm's own, which a real Slurm cannot be made to cause, costs one question and not the watch. */
@Timeout(60)
class WatchTest {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final FaultyScheduler slurm = new FaultyScheduler();

    @TempDir
    Path directory;

    private Watch watch;
    private SlurmJob job;

    /** The first call of each kind fails as a class path does that has another version of a library. */
    private static final class FaultyScheduler implements Scheduler {
        private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        private boolean asked;

        @Override
        public synchronized Map<String, QueueRow> queue(Collection<String> groups) {
            failOnce();
            return Map.of("7_0", new QueueRow("7_0", "PENDING", 0, "Resources", ""));
        }

        private void failOnce() {
            if (!asked) {
                asked = true;
                throw new NoSuchMethodError("a library's method");
            }
        }

        @Override
        public Map<String, QueueRow> past(Collection<String> groups) {
            return Map.of();
        }

        @Override
        public void endPolitely(Collection<String> ids) {
            told.add("end " + ids);
            if (told.size() == 1) {
                throw new NoSuchMethodError("a library's method");
            }
        }

        @Override
        public void endByForce(Collection<String> ids) {
            told.add("kill " + ids);
        }
    }

    @BeforeEach
    void watch() {
        SharedFolder folder = SharedFolder.create(new LocalFiles(), directory, "abcdefghij01");
        SharedFolder.Part part = folder.part(List.of(Secret.empty()));
        watch = new Watch(slurm, folder, INTERVAL);
        job = new SlurmJob(
                "train",
                new SlurmJob.Place(part, 0, "7"),
                events::add,
                FileText.behind(part.files(), part.output(0)),
                watch);
    }

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void slurmIsAskedAgainAfterAFaultOfTheQuestion() throws InterruptedException {
        watch.add(List.of(job));

        assertThat(events.take()).isEqualTo(new JobEvent.Waiting(job, "Resources"));
    }

    @Test
    void slurmIsToldAgainAfterAFaultOfTheCommand() throws InterruptedException {
        watch.add(List.of(job));
        watch.cancel(job, Duration.ofHours(1).toNanos());

        assertThat(slurm.told.poll(30, TimeUnit.SECONDS)).isEqualTo("end [7_0]");
        assertThat(slurm.told.poll(30, TimeUnit.SECONDS)).isEqualTo("end [7_0]");
    }
}
