// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static io.fiber.backend.kubernetes.ScriptedApiServer.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fiber.backend.kubernetes.ScriptedApiServer.Answer;
import io.fiber.backend.support.FailedJobs;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.Leftover;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemainsTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    @Test
    void onlySecretsThatTheUserMayNotListAreLeftOut() throws Exception {
        String secrets = "GET " + NAMESPACE + "/secrets";
        String none = "{\"kind\": \"PodList\", \"apiVersion\": \"v1\", \"metadata\": {}, \"items\": []}";
        try (ScriptedApiServer server = new ScriptedApiServer()
                        .with("GET " + NAMESPACE + "/pods", Answer.of(200, none))
                        .with(secrets, Answer.refusal("secrets is forbidden"));
                Cluster cluster = server.connect(directory, "token: secret")) {
            assertThat(Remains.ofOthers(cluster)).isEmpty();

            server.with(
                    secrets, Answer.of(400, "{\"kind\": \"Status\", \"code\": 400, \"message\": \"bad selector\"}"));
            assertThatThrownBy(() -> Remains.ofOthers(cluster))
                    .isInstanceOf(BackendException.class)
                    .hasMessage("FBR-181 The API server does not list what sessions have left in namespace 'jobs': bad"
                            + " selector.");
        }
    }

    /** Between two starts it has no pod. */
    @Test
    void jobOfTheApiIsLeftOnlyWhenItIsOver() throws Exception {
        String none = "{\"kind\": \"PodList\", \"apiVersion\": \"v1\", \"items\": []}";
        String job =
                "{\"kind\": \"JobList\", \"apiVersion\": \"batch/v1\", \"items\": [{\"metadata\": {\"name\": \"j\","
                        + " \"labels\": {\"io.fiber.session\": \"s1\", \"io.fiber.run\": \"k3f\"}}, \"status\": {%s}}]}";
        String jobs = "GET " + NAMESPACE.replace("/api/", "/apis/batch/") + "/jobs";
        try (ScriptedApiServer server = new ScriptedApiServer()
                        .with("GET " + NAMESPACE + "/pods", Answer.of(200, none))
                        .with("GET " + NAMESPACE + "/secrets", Answer.of(200, none.replace("Pod", "Secret")))
                        .with(jobs, Answer.of(200, job.formatted("\"failed\": 1")));
                Cluster cluster = server.connect(directory, "token: secret")) {
            assertThat(Remains.ofOthers(cluster)).isEmpty();

            server.with(
                    jobs,
                    Answer.of(200, job.formatted("\"conditions\": [{\"type\": \"Complete\", \"status\": \"True\"}]")));
            assertThat(Remains.ofOthers(cluster)).containsExactly(new Leftover("s1", "1 job", Optional.empty()));
        }
    }

    /** Another process may be writing it. */
    @Test
    void removalGoesOnWhenTheKubeconfigCanBeReadLater() throws Exception {
        String pods = "DELETE " + NAMESPACE + "/pods";
        List<String> words = new ArrayList<>(
                new ClusterAddress(directory.resolve("kubeconfig").toString(), "", "jobs", "from a test").words());
        words.addAll(List.of("abcdefgh1234", FailedJobs.REMOVED.name()));
        Thread removal = new Thread(
                () -> {
                    try {
                        Remains.main(words.toArray(String[]::new));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "removal");
        try (ScriptedApiServer server = new ScriptedApiServer()
                .with(pods, Answer.of(200, "{}"))
                .with("DELETE " + NAMESPACE + "/secrets", Answer.of(200, "{}"))) {
            removal.start();
            await().atMost(LIMIT).until(() -> removal.getState() == Thread.State.TIMED_WAITING);

            server.kubeconfig(directory, "token: secret");

            await().atMost(LIMIT)
                    .untilAsserted(() -> assertThat(server.requests()).anyMatch(request -> request.startsWith(pods)));
        } finally {
            removal.interrupt();
            removal.join();
        }
    }
}
