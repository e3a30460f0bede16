// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.docker.ScriptedDocker.Answer;
import io.fiber.backend.support.BackendTasks;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.tck.host.LogLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images of registries that want a login. */
class ImagesTest {

    private static final String IMAGE = "registry.example:5000/tools:7";
    private static final String PULL = "POST /images/create";
    private static final String INSPECT = "GET /images/" + IMAGE + "/json";

    @TempDir
    Path directory;

    private final List<String> logins = new CopyOnWriteArrayList<>();
    private final Waiting tasks = new Waiting();
    private ScriptedDocker docker;
    private Engine engine;

    /** Keeps what is to be done later. */
    private static final class Waiting implements BackendTasks {
        private final List<Runnable> actions = new ArrayList<>();
        private final List<Long> delaysNs = new ArrayList<>();
        private final CompletableFuture<?> future = new CompletableFuture<>();

        @Override
        public void later(Runnable action) {
            throw new AssertionError("Nothing is to be done at once.");
        }

        @Override
        public Future<?> after(long delayNs, Runnable action) {
            actions.add(action);
            delaysNs.add(delayNs);
            return future;
        }

        @Override
        public void ask(Runnable question) {
            throw new AssertionError("Nothing is to be asked.");
        }

        @Override
        public void askAgain(Runnable question) {
            throw new AssertionError("Nothing is to be asked.");
        }
    }

    @BeforeEach
    void start() throws IOException {
        docker = new ScriptedDocker()
                .with(INSPECT, Answer.of(404, "{\"message\": \"No such image\"}"))
                .with(PULL, exchange -> {
                    logins.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Registry-Auth")));
                    docker.with(INSPECT, Answer.of(200, "{\"Id\": \"1\"}"));
                    Answer.of(200, "{\"status\": \"Status: Downloaded newer image\"}")
                            .give(exchange);
                });
        engine = docker.connect();
    }

    @AfterEach
    void stop() {
        engine.close();
        docker.close();
    }

    private void helper(String script) throws IOException {
        Path file = Files.writeString(directory.resolve("docker-credential-lab"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private void provide(String configuration) throws IOException {
        Files.writeString(directory.resolve("config.json"), configuration);
        Environment environment = Environment.of(
                Map.of("DOCKER_CONFIG", directory.toString(), "PATH", "/usr/bin:" + directory), Map.of());
        DockerOptions options = DockerOptions.of(DockerFixture.options(Map.of()));
        new Images(engine, options, new RegistryLogins(environment), tasks).provide(IMAGE, "asked for by a test");
    }

    private String login() {
        return new String(Base64.getUrlDecoder().decode(logins.get(0)), StandardCharsets.UTF_8);
    }

    @Test
    void loginOfACredentialHelperIsSent() throws IOException {
        helper(
                "[ \"$1 $(cat)\" = \"get registry.example:5000\" ] && echo '{\"Username\": \"me\", \"Secret\": \"s3\"}'");

        provide("{\"auths\": {\"registry.example:5000\": {}}, \"credsStore\": \"lab\"}");

        assertThat(login())
                .contains("\"username\":\"me\"", "\"password\":\"s3\"", "\"serveraddress\":\"registry.example:5000\"");
    }

    @Test
    void helperOfTheRegistryGoesBeforeTheCommonOneAndMayHaveAToken() throws IOException {
        helper("echo '{\"Username\": \"<token>\", \"Secret\": \"t\"}'");

        provide("{\"credsStore\": \"none\", \"credHelpers\": {\"registry.example:5000\": \"lab\"}}");

        assertThat(login()).contains("\"identitytoken\":\"t\"", "\"username\":null");
    }

    @Test
    void pullThatTakesLongIsTold() throws IOException {
        List<String> said;
        docker.with(PULL, exchange -> {
            tasks.actions.forEach(Runnable::run);
            docker.with(INSPECT, Answer.of(200, "{\"Id\": \"1\"}"));
            Answer.of(200, "{\"status\": \"Status: Downloaded newer image\"}").give(exchange);
        });
        try (LogLines lines = LogLines.of(Images.class.getName(), Level.INFO)) {
            provide("{}");
            said = lines.messages();
        }
        assertThat(said)
                .containsExactly(
                        "Docker is pulling the image 'registry.example:5000/tools:7' (asked for by a test); jobs wait for it.");
        assertThat(tasks.delaysNs).containsExactly(10_000_000_000L);
        assertThat(tasks.future).isCancelled();
    }

    @Test
    void imageForWhichTheHelperHasNoLoginIsPulledWithoutOne() throws IOException {
        helper("echo 'credentials not found in native keychain'; exit 1");

        provide("{\"credsStore\": \"lab\"}");

        assertThat(logins).hasSize(1);
    }

    @Test
    void refusedPullSaysWhyTheHelperCouldNotBeAsked() throws IOException {
        docker.with(PULL, Answer.of(500, "{\"message\": \"no basic auth credentials\"}"));
        String configuration = "{\"credsStore\": \"lab\"}";

        assertThatThrownBy(() -> provide(configuration))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageContaining(
                        "FBR-162 The image '" + IMAGE + "' (asked for by a test) is not on Docker's host and"
                                + " cannot be pulled: no basic auth credentials; no login was used, as 'docker-credential-lab'"
                                + " (from " + directory.resolve("config.json")
                                + ") failed: it is in no directory of PATH. Pull or");

        helper("echo locked; exit 2");
        assertThatThrownBy(() -> provide(configuration)).hasMessageContaining(") failed: exit code 2: locked. Pull or");

        helper("echo '{\"Username\": \"me\", \"Secret: s3cret\"}'");
        assertThatThrownBy(() -> provide(configuration))
                .hasMessageContaining(") failed: its answer has no Secret. Pull or")
                .hasMessageNotContaining("s3cret");

        assertThatThrownBy(() -> provide("no JSON"))
                .hasMessageContaining("credentials; no login was used, as reading " + directory.resolve("config.json")
                        + " failed: Unrecognized token");
    }

    @Test
    void findingSaysWhetherTheHelperHasNoLoginOrFailed() throws IOException {
        Path configuration = directory.resolve("config.json");
        RegistryLogins registryLogins = new RegistryLogins(Environment.of(
                Map.of("DOCKER_CONFIG", directory.toString(), "PATH", "/usr/bin:" + directory), Map.of()));
        assertThat(registryLogins.find(IMAGE)).isEqualTo(new RegistryLogins.NoLogin());

        Files.writeString(configuration, "{\"credsStore\": \"lab\"}");
        assertThat(registryLogins.find(IMAGE))
                .isEqualTo(new RegistryLogins.Failed(
                        "'docker-credential-lab' (from " + configuration + ")", "it is in no directory of PATH"));

        helper("echo 'credentials not found in native keychain'; exit 1");
        assertThat(registryLogins.find(IMAGE)).isEqualTo(new RegistryLogins.NoLogin());

        helper("echo '{\"Username\": \"me\", \"Secret\": \"s3\"}'");
        assertThat(registryLogins.find(IMAGE)).isInstanceOf(RegistryLogins.Login.class);
    }
}
