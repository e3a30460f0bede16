// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.client.Config;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class ClusterProxyTest {

    private static final char[] PASSWORD = "changeit".toCharArray();
    private static final String NAME = "https://api.example";

    @TempDir
    Path directory;

    private Config config(String cluster, Map<String, String> variables) throws IOException {
        return address(cluster).config(Environment.of(variables, Map.of()));
    }

    private ClusterAddress address(String cluster) throws IOException {
        Path file = Files.writeString(directory.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                current-context: here
                clusters:
                - name: c
                  cluster: {%s}
                users:
                - name: u
                  user: {token: secret}
                contexts:
                - name: here
                  context: {cluster: c, user: u, namespace: jobs}
                """.formatted(cluster));
        return new ClusterAddress(file.toString(), "", "", "from a test");
    }

    private static String server(String url) {
        return "server: \"" + url + "\"";
    }

    @Test
    void serverIsReachedByTheProxyOfItsCluster() throws Exception {
        HttpsServer server = apiServer();
        try (ConnectProxy proxy = new ConnectProxy(server.getAddress())) {
            String cluster = server(NAME) + authority() + ", proxy-url: \"" + proxy.url() + "\"";

            assertThat(podThatIsFound(cluster, Map.of())).isEqualTo("p");

            assertThat(proxy.asked()).contains("api.example:443");
        } finally {
            server.stop(0);
        }
    }

    @Test
    void serverIsReachedByTheProxyOfTheEnvironmentUnlessItIsThisHost() throws Exception {
        HttpsServer server = apiServer();
        try (ConnectProxy proxy = new ConnectProxy(server.getAddress())) {
            Map<String, String> variables = Map.of("https_proxy", proxy.url());

            assertThat(podThatIsFound(server(NAME) + authority(), variables)).isEqualTo("p");
            assertThat(proxy.asked()).contains("api.example:443");

            String here = "https://127.0.0.1:" + server.getAddress().getPort();
            assertThat(podThatIsFound(server(here) + authority(), variables)).isEqualTo("p");
            assertThat(proxy.asked()).noneMatch(asked -> asked.startsWith("127."));
        } finally {
            server.stop(0);
        }
    }

    private String podThatIsFound(String cluster, Map<String, String> variables) throws IOException {
        try (Cluster asked = new Cluster(address(cluster), config(cluster, variables))) {
            return asked.ask(client -> client.pods()
                    .inNamespace("jobs")
                    .withName("p")
                    .get()
                    .getMetadata()
                    .getName());
        }
    }

    @Test
    void exceptionsAreThoseOfTheVariableAndAProxyOfTheClusterHasNone() throws IOException {
        Map<String, String> variables =
                Map.of("HTTPS_PROXY", "proxy", "NO_PROXY", "a.example, *.b.example,,10.0.0.0/8,_x,c.example:443");

        Config ofEnvironment = config(server(NAME), variables);
        assertThat(ofEnvironment.getHttpsProxy()).isEqualTo("http://proxy:80");
        assertThat(ofEnvironment.getNoProxy())
                .containsExactly("a.example", ".b.example", "10.0.0.0/8", "c.example:443");

        Config ofCluster = config(server(NAME) + ", proxy-url: \"http://other:3128\"", variables);
        assertThat(ofCluster.getHttpsProxy()).isEqualTo("http://other:3128");
        assertThat(ofCluster.getNoProxy()).isNullOrEmpty();

        assertThat(config(server(NAME), Map.of()).getHttpsProxy()).isNull();
    }

    @Test
    void proxyThatIsNotOneOfHttpIsRefusedWithoutItsPassword() {
        String rest = ") cannot be used. Expected http://host:port. Correct it, or remove it if the API server can be"
                + " reached without a proxy.";

        assertThatThrownBy(() -> config(server(NAME), Map.of("HTTPS_PROXY", "socks5://me:secret@proxy:1080")))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-169 The proxy 'proxy:1080' (environment variable HTTPS_PROXY" + rest);
        assertThatThrownBy(() -> config(server(NAME) + ", proxy-url: \"https://proxy\"", Map.of()))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-169 The proxy 'https://proxy' (proxy-url of the cluster 'c' of the kubeconfig '"
                        + directory.resolve("kubeconfig") + "'" + rest);
    }

    @Test
    void serverNameThatTheClientCannotAskForIsRefused() {
        assertThatThrownBy(() -> config(server(NAME) + ", tls-server-name: kubernetes", Map.of()))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-169 The cluster 'c' of the kubeconfig '" + directory.resolve("kubeconfig")
                        + "' (from a test) has the tls-server-name 'kubernetes', which Fiber cannot use. Expected a"
                        + " server whose certificate has the host name of its URL: make 'kubernetes' resolve to it,"
                        + " for example in /etc/hosts, use that name in server, and remove tls-server-name.");
    }

    private HttpsServer apiServer() throws Exception {
        Path file = directory.resolve("store");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=api",
                        "-ext",
                        "san=ip:127.0.0.1,dns:api.example",
                        "-keystore",
                        file.toString(),
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        new String(PASSWORD)))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("keytool.txt").toFile())
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(KeyStore.getInstance(file.toFile(), PASSWORD), PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] pod = "{\"kind\": \"Pod\", \"apiVersion\": \"v1\", \"metadata\": {\"name\": \"p\"}}"
                        .getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, pod.length);
                exchange.getResponseBody().write(pod);
            }
        });
        server.start();
        return server;
    }

    /** Returns the certificate of the server, as a kubeconfig has it. */
    private String authority() throws Exception {
        byte[] certificate = KeyStore.getInstance(directory.resolve("store").toFile(), PASSWORD)
                .getCertificate("own")
                .getEncoded();
        String text = "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate)
                + "\n-----END CERTIFICATE-----\n";
        return ", certificate-authority-data: "
                + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
