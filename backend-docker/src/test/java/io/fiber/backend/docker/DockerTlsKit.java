// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.backend.support.LastLines;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine on the network, which asks for a certificate. {@link DockerEngineTest} runs it beside a real engine. */
class DockerTlsKit {

    private static final String ADDRESS = "tcp://127.0.0.1:2376";

    @TempDir
    Path directory;

    /** Where {@code dev/docker/up} has put the certificates. */
    private static Path certificates() {
        return requireNonNull(DockerFixture.socket().getParent()).resolve("tls");
    }

    private static Environment reaching(Map<String, String> tls) {
        Map<String, String> variables = new TreeMap<>(System.getenv());
        variables.put(DaemonAddress.HOST_VARIABLE, ADDRESS);
        variables.putAll(tls);
        return Environment.of(variables, Map.of("user.home", System.getProperty("user.home")));
    }

    private KitSession open(Map<String, String> tls) {
        return new KitSession(directory, Map.of(), reaching(tls));
    }

    private static Map<String, String> verifyingBy(Path directory) {
        return Map.of("DOCKER_TLS_VERIFY", "1", "DOCKER_CERT_PATH", directory.toString());
    }

    /** The output comes by a connection that changes its protocol. */
    @Test
    void jobsRunAndTheirOutputArrives() throws Exception {
        try (KitSession session = open(verifyingBy(certificates()))) {
            Job job = session.start(JobSpec.builder(new Program.Command(
                    List.of("sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); echo line $i; done"))));

            assertThat(session.awaitEnd(job).describe()).isEqualTo("exit code 0");
            assertThat(job.logs(LastLines.MOST_LINES))
                    .hasSize(LastLines.MOST_LINES)
                    .endsWith("line 20000");
        }
    }

    @Test
    void clientWithoutTlsIsTold() {
        assertThatThrownBy(() -> open(Map.of()))
                .hasMessageStartingWith("FBR-160 Docker at " + ADDRESS + " (from environment variable DOCKER_HOST)"
                        + " requires TLS, and Fiber connected without it. Set DOCKER_TLS_VERIFY=1, and DOCKER_CERT_PATH"
                        + " to the directory");
    }

    @Test
    void strangersAreRefusedOnBothSides() throws IOException {
        Path other = Files.createDirectory(directory.resolve("tls"));
        String refused = "FBR-160 Docker at " + ADDRESS
                + " (from environment variable DOCKER_HOST) and Fiber do not trust each other's certificates: ";
        copy("cert.pem", other, "cert.pem");
        copy("key.pem", other, "key.pem");
        assertThatThrownBy(() -> open(verifyingBy(other)))
                .hasMessageStartingWith(refused)
                .hasMessageEndingWith(
                        "unable to find valid certification path to requested target, with the certificates"
                                + " of '" + other
                                + "'. Expected in that directory (DOCKER_CERT_PATH, or the context's) a ca.pem that"
                                + " has issued the engine's certificate, and a cert.pem with key.pem that the engine"
                                + " accepts.");

        copy("ca.pem", other, "ca.pem");
        copy("server-cert.pem", other, "cert.pem");
        copy("server-key.pem", other, "key.pem");
        // By TLS 1.3 the engine refuses after the handshake: its word arrives, or the connection is broken first.
        assertThatThrownBy(() -> open(verifyingBy(other)))
                .message()
                .containsAnyOf(
                        refused + "javax.net.ssl.SSLHandshakeException: Received fatal alert: ",
                        "does not answer at " + ADDRESS)
                .contains(" of '" + other + "'");
    }

    private static void copy(String from, Path to, String name) throws IOException {
        Files.copy(certificates().resolve(from), to.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }
}
