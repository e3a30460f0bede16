// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static io.fiber.backend.kubernetes.ScriptedApiServer.NAMESPACE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ExecConfigBuilder;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedClusterBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that a kubeconfig names for credentials. */
class ExecPluginTest {

    private static final String OWNER = "user 'u' of the kubeconfig '/k' (from a test)";
    private static final String USER =
            "exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, args: null, env: null}";

    private static final NamedCluster SERVER = new NamedClusterBuilder()
            .withName("c")
            .withNewCluster()
            .withServer("https://10.0.0.1:6443")
            .withCertificateAuthorityData("Y2E=")
            .addNewExtension(Map.of("audience", "x"), "client.authentication.k8s.io/exec")
            .endCluster()
            .build();

    @TempDir
    Path directory;

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

    private void program(String script) throws IOException {
        Path file = Files.writeString(directory.resolve("login"), "#!/bin/sh\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private static String printing(String status) {
        return "echo '{\"kind\": \"ExecCredential\", \"status\": {" + status + "}}'";
    }

    private ExecPlugin plugin(String command) {
        return new ExecPlugin(
                new ExecConfigBuilder()
                        .withApiVersion("client.authentication.k8s.io/v1")
                        .withCommand(command)
                        .withArgs("one", "two words")
                        .addNewEnv("COLOUR", "red")
                        .withInstallHint("Install it.")
                        .build(),
                new ExecPlugin.Owner(directory.resolve("kubeconfig"), OWNER, SERVER),
                Environment.of(Map.of("PATH", "/nowhere:" + directory), Map.of()),
                now::get);
    }

    @Test
    void tokenIsThatOfTheProgramWhichHasNoInput() throws IOException {
        program("""
                [ -z "$(cat)" ] || exit 1
                case $KUBERNETES_EXEC_INFO in *'"interactive":false'*) ;; *) exit 2 ;; esac
                echo "{\\"status\\": {\\"token\\": \\"$1-$2-$COLOUR\\"}}"
                """);

        assertThat(plugin("./login").getToken()).isEqualTo("one-two words-red");
        assertThat(plugin("login").getToken()).isEqualTo("one-two words-red");
    }

    /** As for kubectl. */
    @Test
    void variableWithoutAValueIsEmpty() throws IOException {
        program("echo \"{\\\"status\\\": {\\\"token\\\": \\\"t${COLOUR-unset}\\\"}}\"");
        try (ScriptedApiServer server = new ScriptedApiServer();
                Cluster cluster = server.connect(directory, USER.replace("env: null", "env: [{name: COLOUR}]"))) {
            assertThat(cluster.token()).hasValue("t");
        }
    }

    @Test
    void programRunsAgainBeforeItsTokenExpiresAndNotEarlier() throws IOException {
        program("echo x >> " + directory.resolve("runs") + "\n"
                + printing("\"token\": \"t\", \"expirationTimestamp\": \"2026-01-01T01:10:00+01:00\""));
        ExecPlugin plugin = plugin("login");
        plugin.getToken();

        now.set(Instant.parse("2026-01-01T00:09:00Z"));
        plugin.getToken();
        assertThat(directory.resolve("runs")).hasContent("x");

        now.set(Instant.parse("2026-01-01T00:09:45Z"));
        plugin.getToken();
        assertThat(Files.readAllLines(directory.resolve("runs"))).hasSize(2);
    }

    @Test
    void certificateOfTheProgramIsShown() throws IOException {
        program(printing("\"clientCertificateData\": \"c\", \"clientKeyData\": \"-----BEGIN EC PRIVATE KEY-----\""));
        Config config = Config.empty();

        plugin("login").login(config);

        assertThat(config.getClientCertData()).isEqualTo("c");
        assertThat(config.getClientKeyAlgo()).isEqualTo("EC");
        assertThat(config.getOauthTokenProvider()).isNull();
    }

    @Test
    void programThatGivesNothingIsNamedWithItsComplaint() throws IOException {
        String rest =
                ". Expected an ExecCredential with a token or a client certificate. Run it by hand, without input;"
                        + " you may have to log in again. Install it.";
        String start = "FBR-169 The program 'login' returned no credentials for the " + OWNER + ": ";

        assertThatThrownBy(() -> plugin("login").getToken())
                .isInstanceOf(BackendUnavailableException.class)
                .hasMessage(start + "it is in no directory of PATH" + rest);

        program("echo Session expired. >&2; exit 4");
        assertThatThrownBy(() -> plugin("login").getToken()).hasMessage(start + "exit code 4: Session expired" + rest);

        program("echo '{\"status\": {\"token\": \"s3cret'");
        assertThatThrownBy(() -> plugin("login").getToken()).hasMessage(start + "exit code 0" + rest);

        program(printing("\"token\": \"t\", \"expirationTimestamp\": \"soon\""));
        assertThatThrownBy(() -> plugin("login").getToken())
                .hasMessage(start + "its expirationTimestamp is 'soon'" + rest);
    }

    @Test
    void serverIsAskedWithTheTokenAndNotWithoutOne() throws IOException {
        String expired = "\"expirationTimestamp\": \"2020-01-01T00:00:00Z\"";
        program(printing("\"token\": \"t\", " + expired));
        List<String> shown = new CopyOnWriteArrayList<>();
        try (ScriptedApiServer server = new ScriptedApiServer().with("GET " + NAMESPACE + "/pods/p", exchange -> {
                    shown.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
                    ScriptedApiServer.Answer.of(404, "{}").give(exchange);
                });
                Cluster cluster = server.connect(directory, USER)) {
            assertThat(cluster.find("p")).isNull();
            assertThat(cluster.token()).hasValue("t");

            program("echo Away. >&2; exit 1");
            assertThatThrownBy(() -> cluster.find("p"))
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-169 The program './login' returned no credentials for the user 'u' of"
                            + " the"
                            + " kubeconfig '" + directory.resolve("kubeconfig")
                            + "' (from a test): exit code 1: Away. ");
            assertThat(shown).containsOnly("Bearer t");
        }
    }
}
