// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class TlsFilesTest {

    private static final int TRIES = 3;

    private static final char[] PASSWORD = "changeit".toCharArray();

    /** What PKCS #8 has before the key itself, of a key with 2,048 bits. */
    private static final int RSA_WRAPPING_BYTES = 26;

    private static final byte[] PRIME256V1 = {6, 8, 42, (byte) 0x86, 72, (byte) 0xce, 61, 3, 1, 7};

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({"RSA, PRIVATE KEY", "RSA, RSA PRIVATE KEY", "EC, PRIVATE KEY", "EC, EC PRIVATE KEY"})
    void engineThatAsksForACertificateIsReached(String algorithm, String form) throws Exception {
        writeFiles(algorithm, form);
        HttpsServer server = serverThatAsksForACertificate();
        String url = "tcp://127.0.0.1:" + server.getAddress().getPort();
        try (Engine engine = Engine.connect(new DaemonAddress(url, directory.toString(), "from a test"))) {
            assertThat(nameOf(engine)).isEqualTo("secured");
        } finally {
            server.stop(0);
        }
    }

    /** On a busy machine, a server that is this process may not answer in time. */
    private static String nameOf(Engine engine) {
        for (int i = 1; i < TRIES; i++) {
            try {
                return engine.info().getName();
            } catch (BackendUnavailableException e) {
                System.out.println("It is asked again: " + e.getMessage());
            }
        }
        return engine.info().getName();
    }

    @Test
    void engineThatWantsTlsIsToldSo() throws IOException {
        String answer = "Client sent an HTTP request to an HTTPS server.\n";
        try (ScriptedDocker docker = new ScriptedDocker().with("GET /info", ScriptedDocker.Answer.of(400, answer));
                Engine engine = docker.connect()) {
            assertThatThrownBy(engine::info)
                    .isInstanceOf(BackendException.class)
                    .hasMessage("FBR-160 Docker at " + docker.url() + " (from a test) requires TLS, and Fiber connected"
                            + " without it. Set"
                            + " DOCKER_TLS_VERIFY=1, and DOCKER_CERT_PATH to the directory of ca.pem, cert.pem and key.pem;"
                            + " or use a context that has them.");
        }
    }

    @Test
    void contextBringsItsCertificates() throws Exception {
        String hash = "a51146d38077ff992eba84cf1d5e9b249073503eb74868699016153b031a38f7";
        Path tls = Files.createDirectories(directory.resolve("contexts/tls/" + hash + "/docker"));
        Files.writeString(
                Files.createDirectories(directory.resolve("contexts/meta/" + hash))
                        .resolve("meta.json"),
                "{\"Name\": \"lab\", \"Endpoints\": {\"docker\": {\"Host\": \"tcp://127.0.0.1:1\"}}}");
        Map<String, String> variables = Map.of("DOCKER_CONFIG", directory.toString(), "DOCKER_CONTEXT", "lab");

        assertThat(DaemonAddress.find(
                                DockerOptions.of(DockerFixture.options(Map.of())), Environment.of(variables, Map.of()))
                        .certificates())
                .isEqualTo(tls.toString());
    }

    @Test
    void fileThatIsMissingIsNamed() throws Exception {
        writeFiles("EC", "PRIVATE KEY");
        Files.delete(directory.resolve("key.pem"));

        assertThatThrownBy(() -> new TlsFiles(directory).context())
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-160 The TLS files of Docker in " + directory + " cannot be used: "
                        + directory.resolve("key.pem") + " is missing. Expected ca.pem, cert.pem and key.pem (without a"
                        + " passphrase), with which 'docker --tlsverify' works; DOCKER_CERT_PATH names another"
                        + " directory.");
    }

    @ParameterizedTest
    @CsvSource({
        "ENCRYPTED PRIVATE KEY, MA==, key.pem holds no private key that can be read",
        "EC PRIVATE KEY, MAIEAA==, the private key in key.pem does not name its curve",
        "EC PRIVATE KEY, MIIE, the private key in key.pem breaks off",
        "PRIVATE KEY, MIIEv, the private key in key.pem is not valid Base64",
        "PRIVATE KEY, MAA=, 'the private key in key.pem is none of [RSA, EC, EdDSA]'"
    })
    void keyThatCannotBeReadIsRefused(String form, String content, String why) throws Exception {
        writeFiles("EC", "PRIVATE KEY");
        Files.writeString(
                directory.resolve("key.pem"),
                "-----BEGIN " + form + "-----\n" + content + "\n-----END " + form + "-----\n");

        assertThatThrownBy(() -> new TlsFiles(directory).context())
                .hasMessageContaining("cannot be used: " + why + ".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ca.pem", "cert.pem"})
    void fileWithoutACertificateIsNamedAndNotTheAddress(String file) throws Exception {
        writeFiles("EC", "PRIVATE KEY");
        Files.writeString(directory.resolve(file), "");

        assertThatThrownBy(() ->
                        new DaemonAddress("tcp://127.0.0.1:1", directory.toString(), "from a test").clientConfig())
                .isInstanceOf(BackendException.class)
                .hasMessageStartingWith("FBR-160 The TLS files of Docker in " + directory + " cannot be used: " + file
                        + " holds no certificate.");
    }

    private HttpsServer serverThatAsksForACertificate() throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(new TlsFiles(directory).context()) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters asked = getSSLContext().getDefaultSSLParameters();
                asked.setNeedClientAuth(true);
                parameters.setSSLParameters(asked);
            }
        });
        server.createContext("/", exchange -> {
            try (exchange) {
                byte[] body = "{\"Name\": \"secured\"}".getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
        return server;
    }

    /** One certificate, signed by itself, stands for authority, server and client. */
    private void writeFiles(String algorithm, String form) throws Exception {
        Path file = directory.resolve("store");
        Process keytool = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "own",
                        "-keyalg",
                        algorithm,
                        "-keysize",
                        algorithm.equals("RSA") ? "2048" : "256",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
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
        KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD);
        byte[] certificate = store.getCertificate("own").getEncoded();
        write("ca.pem", "CERTIFICATE", certificate);
        write("cert.pem", "CERTIFICATE", certificate);
        write("key.pem", form, encoded((PrivateKey) store.getKey("own", PASSWORD), form));
    }

    private static byte[] encoded(PrivateKey key, String form) {
        byte[] wrapped = key.getEncoded();
        return switch (form) {
            case "RSA PRIVATE KEY" -> Arrays.copyOfRange(wrapped, RSA_WRAPPING_BYTES, wrapped.length);
            case "EC PRIVATE KEY" ->
                Der.of(0x30, new byte[] {2, 1, 1}, Der.of(4, number((ECPrivateKey) key)), Der.of(0xa0, PRIME256V1));
            default -> wrapped;
        };
    }

    private static byte[] number(ECPrivateKey key) {
        byte[] signed = key.getS().toByteArray();
        byte[] number = new byte[32];
        int taken = Math.min(signed.length, number.length);
        System.arraycopy(signed, signed.length - taken, number, number.length - taken, taken);
        return number;
    }

    private void write(String file, String kind, byte[] content) throws IOException {
        Files.writeString(
                directory.resolve(file),
                "-----BEGIN " + kind + "-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + kind
                        + "-----\n");
    }
}
