// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each field of a kubeconfig is honoured or rejected. */
class KubeconfigTest {

    private static final String POD = "GET " + ScriptedApiServer.NAMESPACE + "/pods/p";

    @TempDir
    Path directory;

    /** Returns the headers with which a user of this YAML asks. */
    private Headers headersOf(String user) throws IOException {
        Headers shown = new Headers();
        try (ScriptedApiServer server = new ScriptedApiServer().with(POD, exchange -> {
                    shown.putAll(exchange.getRequestHeaders());
                    ScriptedApiServer.Answer.of(404, "{}").give(exchange);
                });
                Cluster cluster = server.connect(directory, user)) {
            assertThat(cluster.find("p")).isNull();
        }
        return shown;
    }

    @Test
    void userActsAsTheOneThatTheFileNames() throws IOException {
        Headers shown = headersOf("token: t, as: anna, as-uid: u-1, as-groups: [team, other],"
                + " as-user-extra: {scopes: [a, b], example.org/50%: [c]}");

        assertThat(shown.get("Impersonate-User")).containsExactly("anna");
        assertThat(shown.get("Impersonate-Uid")).containsExactly("u-1");
        assertThat(shown.get("Impersonate-Group")).containsExactly("team", "other");
        assertThat(shown.get("Impersonate-Extra-Scopes")).containsExactly("a", "b");
        assertThat(shown.get("Impersonate-Extra-Example.org%2f50%25")).containsExactly("c");
        assertThat(shown.get("Authorization")).containsExactly("Bearer t");
    }

    @Test
    void userWhoIsNobodyElseActsAsHimself() throws IOException {
        assertThat(headersOf("token: t, as: '', as-groups: null").keySet()).noneMatch(name -> name.startsWith("Imp"));
    }

    @Test
    void tokenIsThatOfTheFileBesideTheKubeconfigAndIsReadAgain() throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "first\n");
        try (ScriptedApiServer server = new ScriptedApiServer();
                Cluster cluster = server.connect(directory, "tokenFile: token, token: other")) {
            assertThat(cluster.token()).hasValue("first");
            Files.writeString(token, "renewed\n");
            assertThat(cluster.token()).hasValue("renewed");
            Files.writeString(token, "");
            assertThat(cluster.token()).as("while it is replaced").hasValue("renewed");
            Files.delete(token);
            assertThat(cluster.token()).hasValue("renewed");
        }
        assertThat(headersOf("tokenFile: gone, token: other").get("Authorization"))
                .containsExactly("Bearer other");
    }

    @Test
    void nameAndPasswordOrTheTokenOfOidcAreShown() throws IOException {
        assertThat(headersOf("username: me, password: secret").get("Authorization"))
                .containsExactly("Basic bWU6c2VjcmV0");
        assertThat(headersOf("auth-provider: {name: oidc, config: {id-token: of-oidc}}")
                        .get("Authorization"))
                .containsExactly("Bearer of-oidc");
        assertThat(headersOf("").get("Authorization")).isNull();
        assertThat(headersOf("token: t").get("Accept-Encoding"))
                .as("disable-compression")
                .isNull();
    }

    @Test
    void tokenGoesBeforeAProgram() throws IOException {
        assertThat(headersOf("token: t, exec: {apiVersion: client.authentication.k8s.io/v1, command: ./none}")
                        .get("Authorization"))
                .containsExactly("Bearer t");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "as-groups: [team] | has as-uid, as-groups or as-user-extra without as. Expected the name of a user in"
                        + " as",
                "as-uid: u | has as-uid, as-groups or as-user-extra without as. Expected the name of a user in as",
                "as-user-extra: {a: [b]} | has as-uid, as-groups or as-user-extra without as. Expected the name of a"
                        + " user in as",
                "username: me | has only one of username and password. Expected both",
                "password: secret | has only one of username and password. Expected both",
                "'username: me, password: secret, token: t' | has a token and a username. Expected one of them",
                "client-certificate-data: YQ== | has only one of a client certificate and its key. Expected both",
                "client-key-data: YQ== | has only one of a client certificate and its key. Expected both",
                "'exec: {command: x}, auth-provider: {name: oidc, config: {id-token: t}}' | has exec and auth-provider."
                        + " Expected one of them",
                "'exec: {apiVersion: client.authentication.k8s.io/v1}' | has exec without a command. Expected the name"
                        + " or path of a program",
                "'exec: {command: login, env: [{value: v}]}' | has exec with an env entry without a name. Expected a"
                        + " name",
                "'exec: {command: login, interactiveMode: Always}' | has the program 'login' with interactiveMode"
                        + " Always, which Fiber cannot give an input. Expected IfAvailable or Never",
                "auth-provider: {name: gcp} | has the auth-provider 'gcp', which Fiber cannot ask for a token. Expected"
                        + " exec, token or tokenFile, or the auth-provider oidc with an id-token",
                "auth-provider: {name: oidc} | has the auth-provider 'oidc', which Fiber cannot ask for a token."
                        + " Expected exec, token or tokenFile, or the auth-provider oidc with an id-token",
            })
    void userThatCannotBeUsedAsItStandsIsRefused(String user, String why) {
        assertThatThrownBy(() -> headersOf(user))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-169 The user 'u' of the kubeconfig '" + directory.resolve("kubeconfig")
                        + "' (from a test) " + why + ", as 'kubectl config view' shows them. Correct the user, or"
                        + " choose another context.");
    }

    @Test
    void fileThatIsNotThereIsNamed() {
        String kubeconfig = "of the kubeconfig '" + directory.resolve("kubeconfig") + "' (from a test)";

        assertThatThrownBy(() -> headersOf("tokenFile: gone"))
                .hasMessage("FBR-169 The file '" + directory.resolve("gone") + "' (tokenFile of the user 'u' "
                        + kubeconfig + ") has no token that can be read. Expected a file with a bearer token. Correct"
                        + " the path, which is relative to the kubeconfig, or the file.");
        assertThatThrownBy(() -> headersOf("client-certificate: me.crt, client-key: me.key"))
                .hasMessage("FBR-169 The file '" + directory.resolve("me.crt") + "' (client-certificate of the user"
                        + " 'u' " + kubeconfig + ") cannot be read. Expected a file in PEM format. Correct the path,"
                        + " which is relative to the kubeconfig, or the file's permissions.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | has no server. Expected the URL of an API server, such as https://10.0.0.1:6443. Correct its"
                        + " entry, or choose another context.",
                "'server: \"https://h\", insecure-skip-tls-verify: true, certificate-authority-data: YQ==' | has a"
                        + " certificate-authority and insecure-skip-tls-verify, which kubectl rejects too. Expected one"
                        + " of them: remove insecure-skip-tls-verify to have the server's certificate checked.",
            })
    void clusterThatCannotBeUsedAsItStandsIsRefused(String cluster, String why) throws IOException {
        assertThatThrownBy(() -> configOf(cluster))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-169 The cluster 'c' of the kubeconfig '" + directory.resolve("k") + "' (from a test) "
                        + why);
    }

    @Test
    void authorityThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> configOf("server: 'https://h', certificate-authority: ca.crt"))
                .hasMessageStartingWith("FBR-169 The file '" + directory.resolve("ca.crt")
                        + "' (certificate-authority of the cluster 'c' of the kubeconfig '" + directory.resolve("k")
                        + "' (from a test)) cannot be read.");
    }

    private void configOf(String cluster) throws IOException {
        Path file = Files.writeString(directory.resolve("k"), """
                current-context: x
                clusters: [{name: c, cluster: {%s}}]
                contexts: [{name: x, context: {cluster: c}}]
                """.formatted(cluster));
        new ClusterAddress(file.toString(), "", "", "from a test").config();
    }

    @Test
    void programIsToldTheClusterIfItAsks() throws IOException {
        Path file = Files.writeString(directory.resolve("k"), """
                current-context: x
                clusters:
                - name: c
                  cluster:
                    server: https://10.0.0.1:6443
                    certificate-authority: ca.crt
                    proxy-url: http://10.0.0.2:3128
                    extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: them}}]
                users:
                - name: u
                  user:
                    exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login, provideClusterInfo: true,
                      interactiveMode: IfAvailable}
                contexts: [{name: x, context: {cluster: c, user: u}}]
                """);
        Files.writeString(directory.resolve("ca.crt"), "an authority");
        Path login = Files.writeString(directory.resolve("login"), """
                #!/bin/sh
                echo "$KUBERNETES_EXEC_INFO" >"$(dirname "$0")/told"
                echo '{"status": {"token": "t"}}'
                """);
        Files.setPosixFilePermissions(login, PosixFilePermissions.fromString("rwx------"));

        new ClusterAddress(file.toString(), "", "", "from a test").config(Environment.of(Map.of(), Map.of()));

        assertThat(Files.readString(directory.resolve("told")))
                .contains(
                        "\"interactive\":false",
                        "\"server\":\"https://10.0.0.1:6443\"",
                        "\"insecure-skip-tls-verify\":false",
                        "\"proxy-url\":\"http://10.0.0.2:3128\"",
                        "\"certificate-authority-data\":\"YW4gYXV0aG9yaXR5\"",
                        "\"config\":{\"audience\":\"them\"}");
    }
}
