// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fiber.spec.EndCause;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What registries say to nodes that pull an image. {@link KubernetesClusterTest} runs it beside a real cluster. */
@Tag("soak")
class KubernetesImagesKit {

    private static final String LOGIN = "fiber-kit-login";

    /** Of the password 'kit-password'. */
    private static final String USERS = "kit:$2b$05$abcdefghijklmnopqrstuuJYD48.006UH.Gp4xAaB5QPlLAN/kQwG\n";

    @TempDir
    Path directory;

    @AfterEach
    void nothingIsLeft() {
        try (KitCluster cluster = new KitCluster()) {
            cluster.client()
                    .secrets()
                    .inNamespace(KitCluster.NAMESPACE)
                    .withName(LOGIN)
                    .delete();
        }
        KubernetesFixture.awaitNothingLeft();
    }

    private KitSession open(Map<String, String> values) {
        return new KitSession(directory, values);
    }

    private static int unusedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Starts a registry with the images of the test cluster's own, for who has a login. Whoever calls this ends it. */
    private Process startRegistry(int port) throws IOException {
        Path users = Files.writeString(directory.resolve("users"), USERS);
        Path configuration = Files.writeString(directory.resolve("registry.yml"), """
                version: 0.1
                log: {level: warn}
                storage: {filesystem: {rootdirectory: %s}}
                http: {addr: "127.0.0.1:%d"}
                auth: {htpasswd: {realm: kit, path: %s}}
                """.formatted(
                        TestCluster.files().resolve("registry"), port, users));
        Process registry = new ProcessBuilder("docker-registry", "serve", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("registry.log").toFile())
                .start();
        await().ignoreExceptions().until(() -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isConnected();
            }
        });
        return registry;
    }

    @Test
    void wrongTagIsNamedInTheRegistrysWords() {
        try (KitSession session = open(Map.of("pull", "always"))) {
            JobTermination end = session.awaitEnd(
                    session.start(KitSession.command("true").image(TestCluster.REGISTRY + "fiber-test:no-such-tag")));

            assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
            assertThat(end.detail())
                    .startsWith("FBR-173 The image 'localhost:5000/fiber-test:no-such-tag'")
                    .contains("not found");
        }
    }

    @Test
    void registryThatIsNotThereIsWaitedFor() throws Exception {
        int port = unusedPort();
        try (KitSession session = open(Map.of("pull", "always", "pull-secrets", LOGIN))) {
            login(session.cluster(), port);
            Job job =
                    session.start(KitSession.command("true").image("localhost:" + port + "/" + TestCluster.BARE_IMAGE));

            assertThat(session.record().awaitWaiting(job, "connection refused")).startsWith("ErrImagePull: ");
            assertThat(session.record().hasEnded(job)).isFalse();

            Process registry = startRegistry(port);
            try {
                assertThat(session.awaitEnd(job).describe()).contains("exit code 0");
            } finally {
                registry.destroyForcibly().waitFor();
            }
        }
    }

    @Test
    void registryThatAsksForALoginIsNamedInItsWords() throws Exception {
        int port = unusedPort();
        Process registry = startRegistry(port);
        try (KitSession session = open(Map.of("pull", "always"))) {
            JobTermination end = session.awaitEnd(session.start(
                    KitSession.command("true").image("localhost:" + port + "/" + TestCluster.BARE_IMAGE)));

            assertThat(end.cause()).isEqualTo(EndCause.START_FAILED);
            assertThat(end.detail())
                    .startsWith("FBR-173 The image 'localhost:" + port + "/fiber-test:bare'")
                    .contains("401 Unauthorized")
                    .contains("pull-secrets");
        } finally {
            registry.destroyForcibly().waitFor();
        }
    }

    private static void login(KitCluster cluster, int port) {
        String auth = Base64.getEncoder().encodeToString("kit:kit-password".getBytes(StandardCharsets.UTF_8));
        cluster.client()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(LOGIN)
                        .withNamespace(KitCluster.NAMESPACE)
                        .endMetadata()
                        .withType("kubernetes.io/dockerconfigjson")
                        .withStringData(Map.of(
                                ".dockerconfigjson",
                                "{\"auths\": {\"localhost:" + port + "\": {\"auth\": \"" + auth + "\"}}}"))
                        .build())
                .create();
    }
}
