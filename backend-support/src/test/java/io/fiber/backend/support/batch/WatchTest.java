// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.spec.Secret;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
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
import org.junit.jupiter.api.io.TempDir;

/** A fault that is none of the system's own, which a real one cannot be made to cause, costs one question and not the watch. */
class WatchTest {

    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final BlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final FaultyScheduler system = new FaultyScheduler();

    @TempDir
    Path directory;

    private Watch watch;
    private BatchJob job;

    /** The first call of each kind fails as a class path does that has another version of a library. */
    private static final class FaultyScheduler implements Scheduler {
        private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
        private boolean asked;
        private boolean failed;

        @Override
        public synchronized Map<String, BatchState> states(Collection<String> ids) {
            failOnce();
            return Map.of("7_0", new BatchState.Waiting("Resources"));
        }

        private void failOnce() {
            if (!asked) {
                asked = true;
                throw new NoSuchMethodError("a library's method");
            }
        }

        @Override
        public void end(Collection<String> ids, Ending ending) {
            boolean isFirst = !failed;
            failed = true;
            told.add(ending + " " + ids);
            if (isFirst) {
                throw new NoSuchMethodError("a library's method");
            }
        }
    }

    private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();

    /** A file server of which this host remembers for long what it was told once. */
    private SharedFiles files() {
        LocalFiles files = new LocalFiles();
        return (SharedFiles) Proxy.newProxyInstance(
                SharedFiles.class.getClassLoader(), new Class<?>[] {SharedFiles.class}, (proxy, method, arguments) -> {
                    asked.add(method.getName());
                    return method.getName().equals("hasGrown") ? false : method.invoke(files, arguments);
                });
    }

    @BeforeEach
    void watch() {
        SharedFolder folder =
                SharedFolder.create(new BatchName("batch", "Batch", "KeepTime"), files(), directory, "abcdefghij01");
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true")))
                .output(new JobOutput.Console())
                .build();
        Submission submission = Submission.of(spec, "train", Secret.empty());
        SharedFolder.Part part = folder.part(submission);
        watch = new Watch(system, folder, INTERVAL);
        job = watch.jobs(submission, part, List.of("7_0"), events::add).get(0);
    }

    @AfterEach
    void close() {
        watch.close();
    }

    @Test
    void systemIsAskedAgainAfterAFaultOfTheQuestion() throws InterruptedException {
        watch.add(List.of(job));

        assertThat(events.take()).isEqualTo(new JobEvent.Waiting(job, "Resources"));
    }

    /** Otherwise a host may remember that it was not there. */
    @Test
    void outputOfAJobThatWaitsIsNotLookedFor() throws InterruptedException {
        watch.add(List.of(job));

        assertThat(events.take()).isInstanceOf(JobEvent.Waiting.class);
        assertThat(asked).contains("take").doesNotContain("hasGrown", "read");
    }

    @Test
    void outputIsWholeAtTheEndThoughItsSizeWasSeenLate() throws IOException {
        SharedFolder.Part part = job.place().part();
        Files.writeString(part.output(0), "first\nlast\n");

        job.text().copy();
        assertThat(asked).contains("hasGrown").doesNotContain("read");
        job.text().finish();

        assertThat(job.lastLines(9)).containsExactly("first", "last");
    }

    @Test
    void systemIsToldAgainAfterAFaultOfTheCommand() throws InterruptedException {
        watch.add(List.of(job));
        job.cancel(Duration.ofHours(1));

        assertThat(system.told.poll(30, TimeUnit.SECONDS)).isEqualTo("ASKED [7_0]");
        assertThat(system.told.poll(30, TimeUnit.SECONDS)).isEqualTo("ASKED [7_0]");
    }
}
