// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.dockerjava.core.DefaultDockerClientConfig;
import com.github.dockerjava.core.DockerClientConfig;
import io.fiber.backend.support.Sha256;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * The address of the daemon.
 *
 * @param host a URL as in DOCKER_HOST
 * @param certificates absolute path of a directory with TLS certificates; empty for none
 * @param origin where it was set, in words
 */
record DaemonAddress(String host, String certificates, String origin) {

    static final String HOST_VARIABLE = "DOCKER_HOST";

    private static final String CONTEXT_VARIABLE = "DOCKER_CONTEXT";
    private static final String DEFAULT_CONTEXT = "default";
    private static final String FORWARDING =
            " Forward the socket (ssh -NL /tmp/docker.sock:/var/run/docker.sock HOST), and set fiber.docker.host to"
                    + " unix:///tmp/docker.sock and fiber.docker.address to an address of this host that containers"
                    + " reach; or use TCP with TLS.";
    private static final Set<String> SCHEMES = Set.of("unix", "npipe", "tcp", "http", "https");

    /**
     * Returns the daemon that the option sets; by default that of the environment, then of the current context in
     * Docker's own configuration, then a socket of this host.
     *
     * @throws BackendException FBR-160 if there is none
     */
    static DaemonAddress find(DockerOptions options, Environment environment) {
        String certificates = environment
                .variable("DOCKER_TLS_VERIFY")
                .map(on -> environment
                        .variable("DOCKER_CERT_PATH")
                        .map(path -> Path.of(path).toAbsolutePath())
                        .orElseGet(() -> configDirectory(environment))
                        .toString())
                .orElse("");
        if (options.host().isPresent()) {
            return new DaemonAddress(options.host().get(), certificates, "from fiber.docker.host");
        }
        Optional<String> variable = environment.variable(HOST_VARIABLE);
        if (variable.isPresent()) {
            return new DaemonAddress(variable.get(), certificates, "from environment variable " + HOST_VARIABLE);
        }
        Optional<String> context = contextIn(environment);
        if (context.isPresent()) {
            return new DaemonAddress(
                    hostOf(context.get(), configDirectory(environment)),
                    certificatesOf(context.get(), configDirectory(environment)),
                    "from Docker's context '" + context.get() + "'");
        }
        return socketOfThisHost(environment)
                .map(socket -> new DaemonAddress("unix://" + socket, "", "the socket that is there"))
                .orElseThrow(() -> new BackendException("FBR-160 There is no Docker here: none of the sockets "
                        + socketsOf(environment)
                        + " exists, and neither DOCKER_HOST nor a context of Docker names another daemon. Start Docker"
                        + " or Podman's socket, or set fiber.docker.host."));
    }

    /** Returns which setting names the daemon, in words; in the order of {@link #find}. */
    static Optional<String> namedIn(Environment environment) {
        return environment
                .property("fiber.docker.host")
                .map(host -> "fiber.docker.host=" + host)
                .or(() -> environment.variable("FIBER_DOCKER_HOST").map(host -> "FIBER_DOCKER_HOST=" + host))
                .or(() -> environment.variable(HOST_VARIABLE).map(host -> HOST_VARIABLE + "=" + host))
                .or(() -> contextIn(environment).map(context -> "Docker's context '" + context + "'"));
    }

    private static Optional<String> contextIn(Environment environment) {
        return environment
                .variable(CONTEXT_VARIABLE)
                .or(() -> currentContext(configDirectory(environment).resolve("config.json")))
                .filter(context -> !context.equals(DEFAULT_CONTEXT));
    }

    /** Returns the host of a context. For docker-java, a missing context is the default one. */
    private static String hostOf(String context, Path configuration) {
        Path contexts = configuration.resolve("contexts").resolve("meta");
        Path file = contexts.resolve(Sha256.of(context)).resolve("meta.json");
        try {
            String host = read(file).at("/Endpoints/docker/Host").asText();
            if (host.isEmpty()) {
                throw new BackendException("FBR-160 Docker's context '" + context + "' has no host in " + file
                        + ". 'docker context ls' lists the contexts.");
            }
            return host;
        } catch (IOException e) {
            throw new BackendException(
                    "FBR-160 Docker's context '" + context + "' (from " + CONTEXT_VARIABLE + " or "
                            + configuration.resolve("config.json") + ") "
                            + (Files.exists(file) ? "cannot be read from " + file : "is not in " + contexts)
                            + ". 'docker context ls' lists the contexts.",
                    e);
        }
    }

    /** Returns the directory with the TLS files of a context; empty if it has none. */
    private static String certificatesOf(String context, Path configuration) {
        Path files = configuration.resolve(Path.of("contexts", "tls", Sha256.of(context), "docker"));
        return Files.isDirectory(files) ? files.toString() : "";
    }

    /** Returns the directory of Docker's own configuration. */
    static Path configDirectory(Environment environment) {
        return environment
                .variable("DOCKER_CONFIG")
                .map(path -> Path.of(path).toAbsolutePath())
                .orElseGet(() -> home(environment).resolve(".docker"));
    }

    private static Path home(Environment environment) {
        return Path.of(environment.property("user.home").orElse("/"));
    }

    private static Optional<String> currentContext(Path file) {
        try {
            return Optional.of(read(file).path("currentContext").asText()).filter(context -> !context.isEmpty());
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            // Docker's own client warns and goes on, too. A parser's message could quote a secret.
            System.getLogger(DaemonAddress.class.getName())
                    .log(
                            Level.WARNING,
                            "Docker's configuration " + file + " cannot be read ("
                                    + e.getClass().getSimpleName() + "), so its current context is not used.");
            return Optional.empty();
        }
    }

    private static JsonNode read(Path file) throws IOException {
        return DockerClientConfig.getDefaultObjectMapper().readTree(Files.readString(file));
    }

    /** Returns the first socket that exists. */
    static Optional<Path> socketOfThisHost(Environment environment) {
        return socketsOf(environment).stream().filter(Files::exists).findFirst();
    }

    /** Returns the possible sockets of Docker, rootless Docker, Docker Desktop and Podman, in this order. */
    static List<Path> socketsOf(Environment environment) {
        List<Path> sockets = new ArrayList<>(List.of(Path.of("/var/run/docker.sock")));
        Optional<Path> own = environment.variable("XDG_RUNTIME_DIR").map(Path::of);
        own.ifPresent(directory -> sockets.add(directory.resolve("docker.sock")));
        sockets.add(home(environment).resolve(".docker").resolve("run").resolve("docker.sock"));
        own.ifPresent(directory -> sockets.add(directory.resolve("podman").resolve("podman.sock")));
        sockets.add(Path.of("/run/podman/podman.sock"));
        return List.copyOf(sockets);
    }

    /**
     * Returns the configuration of docker-java for this address.
     *
     * @throws BackendException FBR-160 if the address is invalid
     */
    DockerClientConfig clientConfig() {
        DefaultDockerClientConfig.Builder builder = DefaultDockerClientConfig.createDefaultConfigBuilder();
        try {
            builder.withDockerContext(DEFAULT_CONTEXT).withDockerHost(host);
            // docker-java's own TLS would need Bouncy Castle, 10 MB, and register it in this process.
            builder.withDockerTlsVerify(false);
            if (!certificates.isEmpty() && !host.startsWith("unix:") && !host.startsWith("npipe:")) {
                SSLContext secured = new TlsFiles(Path.of(certificates)).context();
                builder.withCustomSslConfig(() -> secured);
            }
            DockerClientConfig built = builder.build();
            String scheme = built.getDockerHost().getScheme();
            if (scheme == null || !SCHEMES.contains(scheme)) {
                throw new IllegalArgumentException(
                        scheme == null ? "it has no scheme" : "the scheme '" + scheme + "' is not supported");
            }
            return built;
        } catch (BackendException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new BackendException(
                    "FBR-160 The address of Docker (" + origin + ") is '" + host + "', which cannot be used: "
                            + e.getMessage()
                            + ". Expected unix:///var/run/docker.sock, tcp://host:2376; for a context, set DOCKER_CONTEXT."
                            + (host.startsWith("ssh:") ? FORWARDING : ""),
                    e);
        }
    }

    /** Returns words for {@link #ofWords}, without secrets. */
    List<String> words() {
        return List.of(host, certificates, origin);
    }

    static DaemonAddress ofWords(List<String> words) {
        return new DaemonAddress(words.get(0), words.get(1), words.get(2));
    }
}
