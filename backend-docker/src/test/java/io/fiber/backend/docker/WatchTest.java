// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.docker.ScriptedDocker.Answer;
import io.fiber.backend.support.BackendTasks;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What is seen of containers whose daemon tells nothing. */
final class WatchTest {

    private static final String ID = "0123456789abcdef";
    private static final String EVENTS = "GET /events";

    private final Tasks tasks = new Tasks();
    private final List<JobTermination> ends = new ArrayList<>();

    /** Runs what is to be done on the thread of the test, and what is to be done later when the test says so. */
    private static final class Tasks implements BackendTasks {
        private static final int LIMIT_S = 60;
        private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
        private final List<Runnable> inAMinute = new ArrayList<>();

        @Override
        public void later(Runnable action) {
            queue.add(action);
        }

        @Override
        public Future<?> after(long delayNs, Runnable action) {
            if (delayNs == TimeUnit.MINUTES.toNanos(1)) {
                inAMinute.add(action);
            }
            return new CompletableFuture<>();
        }

        @Override
        public void ask(Runnable question) {
            queue.add(question);
        }

        @Override
        public void askAgain(Runnable question) {
            queue.add(question);
        }

        void runUntil(BooleanSupplier done) throws InterruptedException {
            while (!done.getAsBoolean()) {
                Runnable next = queue.poll(LIMIT_S, TimeUnit.SECONDS);
                assertThat(next).as("something to do").isNotNull();
                next.run();
            }
        }
    }

    private DockerJob started(Engine engine) {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("tool")))
                .output(new JobOutput.None())
                .build();
        ContainerPlan plan =
                new ContainerPlan(spec, DockerOptions.of(DockerFixture.options(Map.of())), Optional.empty());
        JobText text =
                JobText.of(new JobText.Author(engine, ID, "job-1"), spec.output(), LogFollower.Pause.OF_THE_CLOCK);
        DockerJob job = new DockerJob(
                "job-1",
                new DockerJob.Place(ID, "host", plan, text, engine, tasks),
                event -> {
                    if (event instanceof JobEvent.Ended ended) {
                        ends.add(ended.termination());
                    }
                },
                ended -> {});
        job.start();
        return job;
    }

    @Test
    void endIsSeenThoughTheStreamOfEventsFellSilent() throws IOException, InterruptedException {
        AtomicBoolean hasEnded = new AtomicBoolean();
        CountDownLatch over = new CountDownLatch(1);
        try (ScriptedDocker docker = new ScriptedDocker()
                        .with("POST /containers/" + ID + "/start", Answer.of(204, ""))
                        .with(
                                "GET /containers/" + ID + "/json",
                                exchange -> Answer.of(
                                                200,
                                                "{\"Id\":\"" + ID + "\",\"State\":{\"Running\":" + !hasEnded.get()
                                                        + ",\"ExitCode\":3}}")
                                        .give(exchange))
                        .with(
                                "GET /containers/json",
                                exchange -> Answer.of(200, hasEnded.get() ? "[]" : "[{\"Id\":\"" + ID + "\"}]")
                                        .give(exchange))
                        .with("GET /containers/" + ID + "/logs", Answer.of(200, ""))
                        .with(EVENTS, exchange -> {
                            exchange.sendResponseHeaders(200, 0);
                            try {
                                over.await();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
                Engine engine = docker.connect()) {
            DockerJob job = started(engine);
            Watch watch = new Watch(engine, new SessionLabels("s1", Map.of()), tasks, Map.of(ID, job));
            watch.open();
            tasks.runUntil(() -> docker.count(EVENTS) == 1 && docker.count("GET /containers/" + ID + "/json") == 1);

            tasks.inAMinute.remove(0).run();
            tasks.runUntil(() -> docker.count("GET /containers/json") == 1);
            hasEnded.set(true);
            tasks.inAMinute.remove(0).run();
            tasks.runUntil(() -> !ends.isEmpty() && docker.count(EVENTS) == 2);

            assertThat(ends).containsExactly(JobTermination.exited(3));
            watch.close();
        } finally {
            over.countDown();
        }
    }
}
