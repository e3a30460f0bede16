// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.Environment;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderTest {

    private static final String CONTEXT_HASH = "b71199ebd070b36beab7317920c2c2f1d777df8d05e5527d8458fda57cb17a7a";

    @TempDir
    Path directory;

    private final DockerBackendProvider provider = new DockerBackendProvider();

    private Environment environment(Map<String, String> variables) {
        return Environment.of(variables, Map.of("user.home", directory.toString()));
    }

    private DaemonAddress find(Map<String, String> options, Map<String, String> variables) {
        return DaemonAddress.find(DockerOptions.of(DockerFixture.options(options)), environment(variables));
    }

    @Test
    void hostWithoutASocketIsUnusableAndSaysWhatWasLookedFor() {
        Environment environment = environment(Map.of("XDG_RUNTIME_DIR", directory.toString()));

        assertThat(DaemonAddress.socketsOf(environment))
                .contains(
                        Path.of("/var/run/docker.sock"),
                        directory.resolve("docker.sock"),
                        directory.resolve(".docker/run/docker.sock"),
                        directory.resolve("podman/podman.sock"));
        if (DaemonAddress.socketOfThisHost(environment).isEmpty()) {
            assertThat(provider.probe(environment))
                    .isInstanceOfSatisfying(
                            Probe.Unusable.class,
                            unusable -> assertThat(unusable.reason())
                                    .contains("/var/run/docker.sock", "podman.sock", "fiber.docker.host"));
        }
    }

    @Test
    void socketOfPodmanIsFound() throws IOException {
        Path socket = Files.createDirectory(directory.resolve("podman")).resolve("podman.sock");
        Files.createFile(socket);

        assertThat(DaemonAddress.socketsOf(environment(Map.of("XDG_RUNTIME_DIR", directory.toString()))).stream()
                        .filter(path -> path.startsWith(directory) && Files.exists(path)))
                .containsExactly(socket);
    }

    @Test
    void optionGoesBeforeTheVariableAndThatBeforeTheContext() {
        Map<String, String> variables = Map.of("DOCKER_HOST", "tcp://there:2375", "DOCKER_CONTEXT", "other");

        assertThat(find(Map.of("host", "unix:///x.sock"), variables))
                .isEqualTo(new DaemonAddress("unix:///x.sock", "", "from fiber.docker.host"));
        assertThat(find(Map.of(), variables))
                .isEqualTo(new DaemonAddress("tcp://there:2375", "", "from environment variable DOCKER_HOST"));
        assertThat(provider.probe(environment(variables))).isEqualTo(new Probe.Usable("DOCKER_HOST=tcp://there:2375"));
        assertThat(provider.probe(Environment.of(variables, Map.of("fiber.docker.host", "unix:///x.sock"))))
                .isEqualTo(new Probe.Usable("fiber.docker.host=unix:///x.sock"));
    }

    @Test
    void contextThatDoesNotExistIsNotTakenForTheDefaultOne() throws IOException {
        assertThatThrownBy(() -> find(Map.of(), Map.of("DOCKER_CONTEXT", "remote")))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("FBR-160 Docker's context 'remote' (from DOCKER_CONTEXT or ")
                .hasMessageContaining("docker context ls");

        Path meta = Files.createDirectories(
                directory.resolve(".docker/contexts/meta").resolve(CONTEXT_HASH));
        Files.writeString(meta.resolve("meta.json"), "{\"Endpoints\": {\"docker\": {\"Host\": \"tcp://there:2375\"}}}");
        Files.writeString(directory.resolve(".docker/config.json"), "{\"currentContext\": \"remote\"}");

        assertThat(find(Map.of(), Map.of()))
                .isEqualTo(new DaemonAddress("tcp://there:2375", "", "from Docker's context 'remote'"));

        Files.writeString(meta.resolve("meta.json"), "{\"Endpoints\": {\"docker\": {}}}");
        assertThatThrownBy(() -> find(Map.of(), Map.of()))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-160 Docker's context 'remote' has no host in " + meta.resolve("meta.json")
                        + ". 'docker context ls' lists the contexts.");

        Files.writeString(meta.resolve("meta.json"), "{");
        assertThatThrownBy(() -> find(Map.of(), Map.of()))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("config.json) cannot be read from " + meta.resolve("meta.json") + ". 'docker");
    }

    @Test
    void onlyTheKeyOfTheWholeConfigurationIsTheCurrentContext() throws IOException {
        Path file = Files.createDirectory(directory.resolve(".docker")).resolve("config.json");
        Files.writeString(file, "{\"plugins\": {\"x\": {\"currentContext\": \"remote\"}}}");
        assertThat(DaemonAddress.namedIn(environment(Map.of()))).isEmpty();

        Files.writeString(file, "{");
        assertThat(DaemonAddress.namedIn(environment(Map.of())))
                .as("a probe never throws")
                .isEmpty();
    }

    @Test
    void socketOfThisHostNeedsNoCertificates() {
        DaemonAddress socket =
                new DaemonAddress("unix:///x.sock", directory.resolve("none").toString(), "from a test");

        assertThat(socket.clientConfig().getDockerHost()).hasToString("unix:///x.sock");
    }

    /** The process that removes what is left runs in another directory. */
    @Test
    void relativeDirectoriesAreFoundFromAnyDirectory() {
        Path here = Path.of("").toAbsolutePath();
        Map<String, String> tls = Map.of("DOCKER_HOST", "tcp://there:2376", "DOCKER_TLS_VERIFY", "1");
        Map<String, String> certificates = new HashMap<>(tls);
        certificates.put("DOCKER_CERT_PATH", "keys");
        Map<String, String> configuration = new HashMap<>(tls);
        configuration.put("DOCKER_CONFIG", "docker");

        assertThat(find(Map.of(), certificates).certificates())
                .isEqualTo(here.resolve("keys").toString());
        assertThat(find(Map.of(), configuration).certificates())
                .isEqualTo(here.resolve("docker").toString());
    }

    @Test
    void daemonThatDoesNotAnswerIsUnavailable() throws IOException {
        Path socket = directory.resolve("d.sock");
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket));
        }
        try (Engine engine = Engine.connect(new DaemonAddress("unix://" + socket, "", "from a test"))) {
            assertThatThrownBy(engine::info)
                    .isInstanceOf(BackendUnavailableException.class)
                    .hasMessageStartingWith("FBR-160 Docker does not answer at unix://" + socket + " (from a test): ")
                    .hasMessageContaining("Running jobs go on");
        }
    }

    @Test
    void addressThatMakesNoSenseIsNamed() {
        assertThatThrownBy(() -> Engine.connect(new DaemonAddress("docker.example", "", "from a test")))
                .isInstanceOf(BackendException.class)
                .hasMessageContaining("FBR-160 The address of Docker (from a test) is 'docker.example', which cannot be"
                        + " used: it has no scheme.")
                .hasMessageContaining("unix:///var/run/docker.sock");
    }

    @Test
    void daemonBehindSshIsRefusedWithWhatToDo() {
        assertThatThrownBy(() -> Engine.connect(find(Map.of("host", "ssh://me@lab"), Map.of())))
                .isInstanceOf(BackendException.class)
                .hasMessage("FBR-160 The address of Docker (from fiber.docker.host) is 'ssh://me@lab', which cannot be"
                        + " used: the scheme 'ssh' is not supported. Expected unix:///var/run/docker.sock,"
                        + " tcp://host:2376; for a context, set DOCKER_CONTEXT. Forward the socket (ssh -NL"
                        + " /tmp/docker.sock:/var/run/docker.sock HOST), and set fiber.docker.host to"
                        + " unix:///tmp/docker.sock and fiber.docker.address to an address of this host that containers"
                        + " reach; or use TCP with TLS.");
    }

    @Test
    void optionsThatAreNoneOfThePossibleOnesAreRefused() {
        assertThatThrownBy(() -> DockerOptions.of(DockerFixture.options(Map.of("pull", "sometimes"))))
                .hasMessage("FBR-168 Option 'fiber.docker.pull' is 'sometimes'; expected missing, always or never.");
        assertThatThrownBy(() -> DockerOptions.of(DockerFixture.options(Map.of("user", "me"))))
                .hasMessage("FBR-168 Option 'fiber.docker.user' is 'me'; expected numbers, uid or uid:gid, for example"
                        + " 1000:1000.");
        assertThat(DockerOptions.of(DockerFixture.options(Map.of("user", "7"))).user())
                .hasToString("7:7");
    }

    @Test
    void containersAreNotRunByRoot() {
        assertThat(DockerOptions.of(DockerFixture.options(Map.of())).user().user())
                .isPositive();
    }
}
