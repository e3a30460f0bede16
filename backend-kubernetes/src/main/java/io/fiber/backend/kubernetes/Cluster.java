// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.internal.CertUtils;
import io.fiber.backend.support.BackendThreads;
import io.fiber.backend.support.FailedJobs;
import io.fiber.backend.support.SessionLabels;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.IOException;
import java.io.InputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The access to one namespace of one cluster. Methods that ask the API server wait for it and throw what {@link #ask}
 * throws. {@link #pods} and {@link #pod} send nothing: run their operations inside {@link #ask}, or handle the client's
 * own errors. Thread-safe.
 */
final class Cluster implements AutoCloseable {

    /** The shortest grace. With zero, the cluster would forget pods whose programs may still run. */
    static final long SHORTEST_GRACE_S = 1;

    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;
    private static final long IDLE_SECONDS = 5;

    /** More causes than an exception of the client has; causes may form a circle. */
    private static final int MOST_CAUSES = 20;

    private final ClusterAddress address;
    private final String url;
    private final String namespace;
    private final OpenRequests requests = new OpenRequests();
    private final KubernetesClient client;
    private volatile boolean closed;
    private final ExecutorService executor;

    Cluster(ClusterAddress address, Config config) {
        this.address = address;
        this.url = config.getMasterUrl();
        String configured = config.getNamespace();
        this.namespace = configured == null || configured.isBlank() ? "default" : configured;
        this.executor = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                BackendThreads.daemons("fiber-kubernetes-client"));
        this.client = new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientFactory(requests)
                .withTaskExecutor(executor)
                .build();
    }

    /** Returns the access to a cluster, without sending anything. */
    static Cluster connect(ClusterAddress address) {
        return new Cluster(address, address.config());
    }

    /** Returns how another process finds the same namespace. */
    ClusterAddress address() {
        return address.in(namespace);
    }

    /** Returns the labels of a session's objects. */
    static SessionLabels labels(String sessionId) {
        return new SessionLabels(sessionId, Map.of("app.kubernetes.io/managed-by", "fiber"));
    }

    String namespace() {
        return namespace;
    }

    /** Returns the API server's URL. */
    String url() {
        return url;
    }

    /** Returns the token with which this process authenticates; empty if it uses a certificate or something else. */
    Optional<String> token() {
        Config config = client.getConfiguration();
        return Optional.ofNullable(config.getOauthTokenProvider())
                .map(OAuthTokenProvider::getToken)
                .or(() -> Optional.ofNullable(config.getOauthToken()))
                .or(() -> Optional.ofNullable(config.getAutoOAuthToken()));
    }

    /** Returns the user that the kubeconfig impersonates; empty if there is none. */
    Optional<String> impersonated() {
        return Optional.ofNullable(client.getConfiguration().getImpersonateUsername());
    }

    /** Returns this process's certificate; empty if it has none, or one that cannot be read. */
    Optional<X509Certificate> certificate() {
        Config config = client.getConfiguration();
        if (config.getClientCertData() == null && config.getClientCertFile() == null) {
            return Optional.empty();
        }
        try (InputStream text =
                CertUtils.getInputStreamFromDataOrFile(config.getClientCertData(), config.getClientCertFile())) {
            return Optional.of(
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(text));
        } catch (IOException | CertificateException e) {
            return Optional.empty();
        }
    }

    /** Returns the operations on all pods of a session; sends nothing. */
    FilterWatchListDeletable<Pod, PodList, PodResource> pods(SessionLabels labels) {
        return client.pods().inNamespace(namespace).withLabel(SessionLabels.SESSION, labels.sessionId());
    }

    /** Returns the pods of the namespace that have a label, whatever its value. */
    List<Pod> podsWith(String label) {
        return ask(each ->
                each.pods().inNamespace(namespace).withLabel(label).list().getItems());
    }

    /** Returns the events of all pods of the namespace, which this user may not be allowed to list. */
    List<Event> podEvents() {
        return ask(each -> each.v1()
                .events()
                .inNamespace(namespace)
                .withField("involvedObject.kind", "Pod")
                .list()
                .getItems());
    }

    /** Returns the secrets of the namespace that belong to a session. */
    List<Secret> secretsOfSessions() {
        return ask(each -> each.secrets()
                .inNamespace(namespace)
                .withLabel(SessionLabels.SESSION)
                .list()
                .getItems());
    }

    /** Returns the operations on one pod; sends nothing. */
    PodResource pod(String name) {
        return client.pods().inNamespace(namespace).withName(name);
    }

    /**
     * Sends a request to the API server.
     *
     * @throws Refusal if the server rejects it
     * @throws BackendUnavailableException FBR-169 if the server does not answer, or there are no credentials; says
     *     nothing about any job
     * @throws BackendException FBR-170 if the server does not recognize the user
     */
    <T extends @Nullable Object> T ask(Function<KubernetesClient, T> question) {
        try {
            return question.apply(client);
        } catch (KubernetesClientException e) {
            throw failure(e);
        } catch (RuntimeException e) {
            throw isOfConnection(e) ? unavailable(e) : e;
        }
    }

    /** Returns whether the connection broke or was closed. Anything else is a bug, or a {@link BackendException}. */
    private boolean isOfConnection(RuntimeException e) {
        return !(e instanceof BackendException)
                && (closed
                        || causes(e)
                                .anyMatch(cause -> cause instanceof IOException
                                        || cause instanceof CancellationException
                                        || cause instanceof RejectedExecutionException));
    }

    private static Stream<Throwable> causes(Throwable e) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES);
    }

    private RuntimeException failure(KubernetesClientException e) {
        int code = e.getCode();
        if (code == UNAUTHORIZED) {
            return new BackendException(
                    "FBR-170 The API server at " + url + " does not accept this user's credentials (" + address.origin()
                            + "): " + new Refusal(e).words()
                            + ". Log in again, or correct the user of the context; 'kubectl auth can-i create pods'"
                            + " shows whether they work.",
                    e);
        }
        Optional<String> other = impersonated();
        if (code == FORBIDDEN && other.isPresent() && new Refusal(e).words().contains("cannot impersonate")) {
            return new BackendException(
                    "FBR-170 The API server at " + url + " does not let this user act as '" + other.get()
                            + "', which 'as' of its kubeconfig says (" + address.origin() + "): "
                            + new Refusal(e).words()
                            + ". Remove as, as-groups, as-uid and as-user-extra, or have the user granted the verb"
                            + " 'impersonate' for them.",
                    e);
        }
        // Without an answer, the code is zero or negative.
        return code <= 0 || code == TOO_MANY || code >= SERVER_ERROR ? unavailable(e) : new Refusal(e);
    }

    private BackendUnavailableException unavailable(RuntimeException e) {
        Throwable deepest = causes(e).reduce(e, (outer, cause) -> cause);
        return new BackendUnavailableException(
                "FBR-169 The API server does not answer at " + url + " (" + address.origin() + "): " + deepest
                        + ". Running jobs go on; try again when 'kubectl version' works.",
                e);
    }

    /** Creates an object. If there is one with this name already, it counts as created. */
    void create(HasMetadata made) {
        try {
            ask(each -> each.resource(made).inNamespace(namespace).create());
        } catch (Refusal e) {
            if (!e.isAlreadyThere()) {
                throw e;
            }
        }
    }

    /** Returns a pod; null if there is none. */
    @Nullable
    Pod find(String name) {
        return ask(each -> each.pods().inNamespace(namespace).withName(name).get());
    }

    /** Returns whether a service account exists. */
    boolean hasServiceAccount(String name) {
        return ask(each -> each.serviceAccounts()
                        .inNamespace(namespace)
                        .withName(name)
                        .get())
                != null;
    }

    /** Returns the last lines that a pod wrote. The client's own method would list the pod first. */
    String log(String name, int lines) {
        String path = "/api/v1/namespaces/" + namespace + "/pods/" + name + "/log?container=" + Template.WORKER
                + "&tailLines=" + lines;
        String text = ask(each -> each.raw(path));
        return text == null ? "" : text;
    }

    /**
     * Ends a pod: its program is asked to end, and killed after a grace; with zero the cluster forgets the pod at once,
     * wherever it runs. Returns whether the pod existed; it is gone when its program has ended.
     */
    boolean delete(String name, long graceSeconds) {
        try {
            return !ask(unused -> pod(name).withGracePeriod(graceSeconds).delete())
                    .isEmpty();
        } catch (Refusal e) {
            if (e.isNotFound()) {
                return false;
            }
            throw e;
        }
    }

    /** Ends a pod with its own grace. Returns whether it existed. */
    boolean delete(String name) {
        return !ask(unused -> pod(name).delete()).isEmpty();
    }

    /** Returns the pods of one job of a session. */
    List<Pod> podsOf(String sessionId, String job) {
        return ask(unused -> podsNamed(sessionId, job).list().getItems());
    }

    private FilterWatchListDeletable<Pod, PodList, PodResource> podsNamed(String sessionId, String job) {
        return client.pods()
                .inNamespace(namespace)
                .withLabels(Map.of(SessionLabels.SESSION, sessionId, SessionLabels.JOB, job));
    }

    /** Returns a Job of the API; empty if there is none, or this user may not see it. */
    Optional<Job> job(String name) {
        try {
            return Optional.ofNullable(ask(each -> each.batch()
                    .v1()
                    .jobs()
                    .inNamespace(namespace)
                    .withName(name)
                    .get()));
        } catch (Refusal e) {
            return orIfNoJobs(e, Optional.empty());
        }
    }

    /**
     * Returns the Jobs of the API in the namespace that have a label, whatever its value. A user who may not list them
     * has none.
     */
    List<Job> jobsWith(String label) {
        try {
            return ask(each -> each.batch()
                    .v1()
                    .jobs()
                    .inNamespace(namespace)
                    .withLabel(label)
                    .list()
                    .getItems());
        } catch (Refusal e) {
            return orIfNoJobs(e, List.of());
        }
    }

    private static <T> T orIfNoJobs(Refusal e, T none) {
        if (e.isForbidden() || e.isNotFound()) {
            return none;
        }
        throw e;
    }

    /**
     * Removes a Job of the API, which creates no pod from then on, and ends its pods with this grace, or by default
     * with their own. Returns whether it had pods.
     */
    boolean deleteJob(String name, String sessionId, String job, OptionalLong graceSeconds) {
        Optional<Refusal> refusal = Optional.empty();
        try {
            ask(each -> each.batch()
                    .v1()
                    .jobs()
                    .inNamespace(namespace)
                    .withName(name)
                    .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                    .delete());
        } catch (Refusal e) {
            refusal = orIfNoJobs(e, Optional.of(e));
        }
        if (podsOf(sessionId, job).isEmpty()) {
            return false;
        }
        if (refusal.isPresent()) {
            throw refusal.get();
        }
        ask(unused -> graceSeconds.isPresent()
                ? podsNamed(sessionId, job)
                        .withGracePeriod(graceSeconds.getAsLong())
                        .delete()
                : podsNamed(sessionId, job).delete());
        return true;
    }

    /** Removes all Jobs of the API that belong to a session; the cluster removes their pods. */
    void deleteJobs(SessionLabels labels) {
        try {
            ask(each -> each.batch()
                    .v1()
                    .jobs()
                    .inNamespace(namespace)
                    .withLabel(SessionLabels.SESSION, labels.sessionId())
                    .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                    .delete());
        } catch (Refusal e) {
            var unused = orIfNoJobs(e, false);
        }
    }

    /** Removes a secret, if it exists. */
    void deleteSecret(String name) {
        ask(each -> each.secrets().inNamespace(namespace).withName(name).delete());
    }

    /** Ends all pods of a session with one request; those of failed jobs may be left. */
    void deletePods(SessionLabels labels, long graceSeconds, FailedJobs failedJobs) {
        ask(unused -> failedJobs == FailedJobs.KEPT
                ? pods(labels)
                        .withoutField("status.phase", "Failed")
                        .withGracePeriod(graceSeconds)
                        .delete()
                : pods(labels).withGracePeriod(graceSeconds).delete());
    }

    /** Removes all secrets of a session. */
    void deleteSecrets(SessionLabels labels) {
        ask(each -> each.secrets()
                .inNamespace(namespace)
                .withLabel(SessionLabels.SESSION, labels.sessionId())
                .delete());
    }

    /** Ends running requests: a request that waits for its answer fails at once, and no other is tried. */
    @Override
    public void close() {
        closed = true;
        requests.end();
        client.close();
        executor.shutdownNow();
    }
}
