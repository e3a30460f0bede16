// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.LogContainerCmd;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotModifiedException;
import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.core.DockerClientConfig;
import com.github.dockerjava.core.DockerClientImpl;
import com.github.dockerjava.core.RemoteApiVersion;
import com.github.dockerjava.transport.DockerHttpClient.Request;
import com.github.dockerjava.transport.DockerHttpClient.Response;
import com.github.dockerjava.zerodep.ZerodepDockerHttpClient;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.net.ssl.SSLException;

/**
 * The way to one daemon: whatever goes wrong is either a {@link Refusal}, said by Docker, or a
 * {@link BackendUnavailableException}, which says nothing of any job. Thread-safe; every method waits for Docker.
 */
final class Engine implements AutoCloseable {

    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(60);
    private static final long LOG_LIMIT_S = 30;
    private static final int MOST_CONNECTIONS = 1_000;
    private static final int UNAVAILABLE = 503;

    /** What servers written in Go say to a client without TLS. */
    private static final String ANSWER_OF_TLS = "HTTP request to an HTTPS server";

    private final DaemonAddress address;
    private final String url;
    private final ObjectWriter bodies;
    private final String path;
    private final ZerodepDockerHttpClient http;
    private final DockerClient client;

    /** Streams last as long as a job: nothing has to come on them in any time. */
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

    /** Returns the way to a daemon; nothing is sent. */
    static Engine connect(DaemonAddress address) {
        return new Engine(address, address.configuration());
    }

    DaemonAddress address() {
        return address;
    }

    /** Returns the daemon's URL. */
    String url() {
        return url;
    }

    /** Tells whether connections are within this host, where none dies unnoticed. */
    boolean isOnThisHost() {
        return url.startsWith("unix:") || url.startsWith("npipe:");
    }

    /** Returns what asks for streams that do not end by themselves; they answer to their callbacks. */
    DockerClient streams() {
        return streams;
    }

    /** Returns what asks for the log of a container, and is sent by {@link #logs}. */
    LogContainerCmd log(String id) {
        return streams.logContainerCmd(id).withStdOut(true).withStdErr(true);
    }

    /** Returns what reads logs. */
    LogEntries logs() {
        return logs;
    }

    /**
     * Asks Docker something.
     *
     * @throws Refusal when it says no
     * @throws BackendUnavailableException FBR-160 when it does not answer, or certificates do not fit
     * @throws BackendException FBR-161 when this user may not ask, FBR-160 when it wants TLS
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

    /** Tells Docker something, see {@link #ask}. */
    void tell(Consumer<DockerClient> order) {
        ask(each -> {
            order.accept(each);
            return true;
        });
    }

    /** Returns what a command would send as its body, without what it leaves open; sends nothing. */
    String body(Function<DockerClient, ?> command) {
        try {
            return bodies.writeValueAsString(command.apply(client));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells Docker to end or to remove something that may be gone, or that another client may be removing. */
    void tellIfThere(Consumer<DockerClient> order) {
        try {
            tell(order);
        } catch (Refusal e) {
            if (!e.isConflict() && !e.isNotFound()) {
                throw e;
            }
        }
    }

    /**
     * Reads a log to its end, see {@link #ask}.
     *
     * @throws BackendUnavailableException FBR-160 also when that takes more than 30 seconds
     */
    void read(LogContainerCmd wanted, LogEntries.Receiver receiver) {
        tell(each -> {
            try {
                if (!logs.read(wanted, receiver).awaitCompletion(LOG_LIMIT_S, TimeUnit.SECONDS)) {
                    throw new BackendUnavailableException("FBR-160 Docker did not send the log of a container within "
                            + LOG_LIMIT_S + " s; try again.");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new BackendUnavailableException("Reading the log of a container was interrupted.", e);
            }
        });
    }

    /** Returns what the daemon says of itself. */
    Info info() {
        return ask(each -> each.infoCmd().exec());
    }

    /** Starts a container; one that runs already stays as it is. */
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

    /** Sends a signal; a container that has ended stays as it is. */
    void signal(String id, String signal) {
        tellIfThere(each -> each.killContainerCmd(id).withSignal(signal).exec());
    }

    /** Ends a container if it runs, and removes it with the volumes that are its own. */
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
     * Makes an image of the files of an archive. The command of docker-java sends the stream's properties in its place.
     *
     * @param label its only one
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

    /** Tells whether a container that need not run has a file. */
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
                                + ". Join the group that owns the socket (as a rule 'docker'), or use a rootless Docker or"
                                + " Podman by fiber.docker.host.",
                        e);
            }
            if (cause instanceof SSLException && isOfCertificates(cause)) {
                return new BackendUnavailableException(
                        "FBR-160 Docker at " + url + " (" + address.origin()
                                + ") cannot be trusted, or does not trust Fiber: "
                                + deepest(cause) + ", with the certificates of '" + address.certificates()
                                + "'. Expected in that directory (DOCKER_CERT_PATH, or the context's) a ca.pem that the"
                                + " engine's certificate is of, and a cert.pem with key.pem that it accepts.",
                        e);
            }
        }
        return unavailable(e);
    }

    /** Whether one side has refused the other. */
    private static boolean isOfCertificates(Throwable failure) {
        return deepest(failure) instanceof GeneralSecurityException
                || String.valueOf(failure.getMessage()).contains("fatal alert");
    }

    private static Throwable deepest(Throwable failure) {
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
