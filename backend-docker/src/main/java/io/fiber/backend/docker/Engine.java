// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotModifiedException;
import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.core.RemoteApiVersion;
import com.github.dockerjava.transport.DockerHttpClient.Request;
import com.github.dockerjava.transport.DockerHttpClient.Response;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import io.fiber.backend.support.BackendThreads;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLException;

/**
 * The access to one daemon. Every error is either a {@link Refusal} from Docker, or a {@link
 * BackendUnavailableException}, which says nothing about any job. Every method waits for Docker. Thread-safe.
 */
final class Engine implements AutoCloseable {

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int UNAVAILABLE = 503;

    /** The answer of servers written in Go to a client without TLS. */
    private static final String ANSWER_OF_TLS = "HTTP request to an HTTPS server";

    private final DaemonAddress address;
    private final String url;
    private final ObjectWriter bodies;
    private final String path;
    private final ZerodepDockerHttpClient http;
    private final DockerClient client;

    /** Streams last as long as a job, so they may be silent for any time. */
    private final DockerClient streams;

    private final LogEntries logs;

    private Engine(DaemonAddress address, DockerClientConfig configuration) {
        this.address = address;
        this.url = configuration.getDockerHost().toString();
        this.bodies = configuration
                .getObjectMapper()
                .copy()
                .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
                .writer(SerializationFeature.INDENT_OUTPUT, SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS);
        this.http = builder(configuration).responseTimeout(ANSWER_LIMIT).build();
        this.client = DockerClientImpl.getInstance(configuration, http);
        ZerodepDockerHttpClient unhurried = builder(configuration).build();
        this.streams = DockerClientImpl.getInstance(configuration, unhurried);
        this.path = versionPath(configuration.getApiVersion());
        this.logs = new LogEntries(unhurried, path);
    }

    private static String versionPath(RemoteApiVersion version) {
        return RemoteApiVersion.UNKNOWN_VERSION.equals(version) ? "" : "/" + version.asWebPathPart();
    }

    private static ZerodepDockerHttpClient.Builder builder(DockerClientConfig configuration) {
        return new ZerodepDockerHttpClient.Builder()
                .dockerHost(configuration.getDockerHost())
                .sslConfig(configuration.getSSLConfig())
                .maxConnections(MOST_CONNECTIONS)
                .connectionTimeout(CONNECT_LIMIT);
    }

    /** Returns the access to a daemon, without sending anything. */
    static Engine connect(DaemonAddress address) {
        return new Engine(address, address.clientConfig());
    }

    DaemonAddress address() {
        return address;
    }

    /** Returns the daemon's URL. */
    String url() {
        return url;
    }

    /** Returns whether connections are within this host, where none ends unnoticed. */
    boolean isOnThisHost() {
        return url.startsWith("unix:") || url.startsWith("npipe:");
    }

    /** Returns the client for streams that do not end by themselves and answer through callbacks. */
    DockerClient streams() {
        return streams;
    }

    /**
     * Sends a request to Docker.
     *
     * @throws Refusal if Docker rejects it
     * @throws BackendUnavailableException FBR-160 if Docker does not answer, or certificates do not fit
     * @throws BackendException FBR-161 if this user has no access, FBR-160 if Docker requires TLS
     */
    <T> T ask(Function<DockerClient, T> question) {
        try {
            return question.apply(client);
        } catch (DockerException e) {
            if (e.getHttpStatus() == UNAVAILABLE) {
                throw unavailable(e);
            }
            if (String.valueOf(e.getMessage()).contains(ANSWER_OF_TLS)) {
                throw plain(e);
            }
            throw new Refusal(e);
        } catch (RuntimeException e) {
            throw failure(e);
        }
    }

    /** Sends a request without a result, see {@link #ask}. */
    void tell(Consumer<DockerClient> order) {
        ask(each -> {
            order.accept(each);
            return true;
        });
    }

    /** Returns the body that a command would send, without unset fields; sends nothing. */
    String body(Function<DockerClient, ?> command) {
        try {
            return bodies.writeValueAsString(command.apply(client));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Ends or removes an object that may be gone, or that another client may be removing. */
    void tellIfThere(Consumer<DockerClient> order) {
        try {
            tell(order);
        } catch (Refusal e) {
            if (!e.isConflict() && !e.isNotFound()) {
                throw e;
            }
        }
    }

    /** Reads a log to its end, see {@link #ask}; with {@code &follow=true}, until the container ends. */
    void readLog(String id, String options, LogEntries.Receiver receiver) {
        tell(each -> LogEntries.pass(logs.log(id, options), receiver));
    }

    /**
     * Attaches to the streams of a container, see {@link LogEntries#attach}.
     *
     * @throws BackendUnavailableException FBR-160, also if this takes more than 60 seconds
     */
    Response attach(String id) {
        CompletableFuture<Response> answer = CompletableFuture.supplyAsync(
                () -> logs.attach(id),
                work -> BackendThreads.daemons("fiber-docker-attach")
                        .newThread(work)
                        .start());
        return ask(each -> {
            try {
                return answer.copy()
                        .orTimeout(ANSWER_LIMIT.toSeconds(), TimeUnit.SECONDS)
                        .join();
            } catch (CompletionException e) {
                var unused = answer.thenAccept(Response::close);
                throw e.getCause() instanceof RuntimeException known ? known : e;
            }
        });
    }

    /** Returns what the daemon reports about itself. */
    Info info() {
        return ask(each -> each.infoCmd().exec());
    }

    /** Starts a container; one that is already running is not changed. */
    void start(String id) {
        tell(each -> {
            try {
                each.startContainerCmd(id).exec();
            } catch (NotModifiedException e) {
                System.getLogger(Engine.class.getName()).log(Level.DEBUG, "The container {0} runs already.", id);
            }
        });
    }

    InspectContainerResponse inspect(String id) {
        return ask(each -> each.inspectContainerCmd(id).exec());
    }

    /** Sends a signal; a container that has ended is not changed. */
    void signal(String id, String signal) {
        tellIfThere(each -> each.killContainerCmd(id).withSignal(signal).exec());
    }

    /** Ends a container if it is running, and removes it with its own volumes. */
    void remove(String id) {
        tellIfThere(each -> each.removeContainerCmd(id)
                .withForce(true)
                .withRemoveVolumes(true)
                .exec());
    }

    /** Unpacks an archive in a container that need not run. */
    void unpack(String id, String directory, InputStream tar) {
        tell(each -> each.copyArchiveToContainerCmd(id)
                .withRemotePath(directory)
                .withTarInputStream(tar)
                .exec());
    }

    /**
     * Creates an image from the files of an archive. docker-java's own command would send the stream's properties
     * instead.
     *
     * @param label its only label
     */
    void makeImage(String name, String label, InputStream tar) {
        Request request = Request.builder()
                .method(Request.Method.POST)
                .path(path + "/images/create?fromSrc=-&repo=" + name + "&changes=LABEL%20" + label + "=1")
                .body(tar)
                .build();
        tell(each -> {
            try (Response answer = LogEntries.good(http.execute(request))) {
                answer.getBody().readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Returns whether a container that need not run has a file. */
    boolean hasFile(String id, String file) throws IOException {
        try (InputStream tar =
                ask(each -> each.copyArchiveFromContainerCmd(id, file).exec())) {
            return tar.read() >= 0;
        } catch (Refusal e) {
            if (!e.isNotFound()) {
                throw e;
            }
            return false;
        }
    }

    private BackendException failure(RuntimeException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException
                    && String.valueOf(cause.getMessage()).contains("ermission denied")) {
                return new BackendException(
                        "FBR-161 This user may not use Docker at " + url + " (" + address.origin() + "): "
                                + cause.getMessage()
                                + ". Join the group that owns the socket (usually 'docker'), or name a rootless"
                                + " Docker or Podman in fiber.docker.host.",
                        e);
            }
            if (cause instanceof SSLException && isOfCertificates(cause)) {
                return new BackendUnavailableException(
                        "FBR-160 Docker at " + url + " (" + address.origin()
                                + ") and Fiber do not trust each other's certificates: "
                                + deepest(cause) + ", with the certificates of '" + address.certificates()
                                + "'. Expected in that directory (DOCKER_CERT_PATH, or the context's) a ca.pem that"
                                + " has issued the engine's certificate, and a cert.pem with key.pem that the engine"
                                + " accepts.",
                        e);
            }
        }
        return unavailable(e);
    }

    /** Returns whether one side has rejected the other's certificate. */
    private static boolean isOfCertificates(Throwable failure) {
        return deepest(failure) instanceof GeneralSecurityException
                || String.valueOf(failure.getMessage()).contains("fatal alert");
    }

    /** Returns the first cause of a failure. */
    static Throwable deepest(Throwable failure) {
        Throwable deepest = failure;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return deepest;
    }

    private BackendException plain(DockerException e) {
        return new BackendException(
                "FBR-160 Docker at " + url + " (" + address.origin()
                        + ") requires TLS, and Fiber connected without it. Set DOCKER_TLS_VERIFY=1, and"
                        + " DOCKER_CERT_PATH to the directory"
                        + " of ca.pem, cert.pem and key.pem; or use a context that has them.",
                e);
    }

    private BackendUnavailableException unavailable(RuntimeException e) {
        return new BackendUnavailableException(
                "FBR-160 Docker does not answer at " + url + " (" + address.origin() + "): " + deepest(e)
                        + (address.certificates().isEmpty()
                                ? ""
                                : ", with the certificates of '" + address.certificates() + "'")
                        + ". Running jobs go on; try again when 'docker -H " + url + " info' works.",
                e);
    }

    @Override
    public void close() {
        for (DockerClient each : new DockerClient[] {client, streams}) {
            try {
                each.close();
            } catch (IOException e) {
                System.getLogger(Engine.class.getName()).log(Level.DEBUG, "A connection to Docker was not closed.", e);
            }
        }
    }
}
