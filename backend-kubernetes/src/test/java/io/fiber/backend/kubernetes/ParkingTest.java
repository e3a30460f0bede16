// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fiber.backend.kubernetes.ScriptedApiServer.Answer;
import io.fiber.backend.support.BackendTasks;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which order pods are tried that a quota has no room for. */
final class ParkingTest {

    private static final String QUOTA = "pods is forbidden: exceeded quota: memory";

    @TempDir
    Path directory;

    private final Tasks tasks = new Tasks();
    private final List<String> tried = new CopyOnWriteArrayList<>();
    private final List<JobEvent> events = new ArrayList<>();
    private ScriptedApiServer server;
    private Cluster cluster;
    private Parking parking;

    /** Runs what is to be done when the test says so; what is to be done after a while, never. */
    private static final class Tasks implements BackendTasks {
        private final Queue<Runnable> queue = new ArrayDeque<>();

        @Override
        public void later(Runnable action) {
            queue.add(action);
        }

        @Override
        public Future<?> after(long delayNs, Runnable action) {
            return new CompletableFuture<>();
        }

        @Override
        public void ask(Runnable question) {
            queue.add(question);
        }

        @Override
        public void askAgain(Runnable question) {}

        void runAll() {
            while (!queue.isEmpty()) {
                queue.remove().run();
            }
        }
    }

    /** There is room for a small pod alone. */
    @BeforeEach
    void startServer() throws IOException {
        server = new ScriptedApiServer().with("POST " + ScriptedApiServer.NAMESPACE + "/pods", exchange -> {
            Pod pod = new KubernetesSerialization().unmarshal(exchange.getRequestBody(), Pod.class);
            String name = pod.getMetadata().getName().replace("fiber-abcdefgh1234-", "");
            tried.add(name);
            (name.equals("small") ? Answer.of(201, Serialization.asJson(pod)) : Answer.refusal(QUOTA)).give(exchange);
        });
        cluster = server.connect(directory, "token: secret");
        parking = new Parking(cluster, tasks);
    }

    @AfterEach
    void endServer() {
        cluster.close();
        server.close();
    }

    private record Made(KubernetesJob job, Pod pod) {}

    private Made park(String name, String memory) {
        PodPlan plan = PodRenderingTest.plan(
                JobSpec.builder(new Program.Command(List.of("tool"))).resources(Resources.memory(memory)), Map.of());
        String id = plan.setting().labels().name(name);
        JobText text = JobText.of(cluster, id, name, new JobText.Reader(new JobOutput.None(), tasks));
        KubernetesJob job = new KubernetesJob(
                name,
                new KubernetesJob.Place(
                        id, "secret", plan, PodRendering.Fetching.NOTHING, text, parking, cluster, tasks),
                events::add,
                ended -> {});
        job.admit();
        Pod pod = new PodRendering(
                        plan, new PodRendering.Parts("secret", List.of("tool"), PodRendering.Fetching.NOTHING))
                .pod(new Submission.Instance(name, Secret.empty()));
        parking.park(new Launcher.PlannedPod(job, pod, pod), QUOTA);
        return new Made(job, pod);
    }

    @Test
    void podThatThereIsRoomForIsMadeWhateverWaitsBeforeIt() {
        park("large-1", "2g");
        park("large-2", "2g");
        park("huge", "3g");
        Made small = park("small", "100m");
        parking.retry();
        tasks.runAll();

        assertThat(tried).containsExactly("large-1", "huge", "small");
        assertThat(small.job().isMade()).isTrue();
        tried.clear();
        parking.retry();
        tasks.runAll();
        assertThat(tried).containsExactly("large-1", "huge");
    }

    @Test
    void podThatIsThereThoughItsAnswerWasLostIsNotMadeAgain() {
        Made lost = park("lost", "100m");
        Made cancelled = park("cancelled", "2g");
        cancelled.job().cancel(Duration.ZERO);
        lost.job().look(lost.pod());
        parking.retry();
        tasks.runAll();

        assertThat(tried).isEmpty();
    }
}
