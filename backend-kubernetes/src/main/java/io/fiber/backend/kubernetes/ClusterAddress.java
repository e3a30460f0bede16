// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Identifies the cluster, the namespace and the user. Contains no secret. Immutable.
 *
 * @param kubeconfig absolute paths of the files with this information, separated as in {@code KUBECONFIG}; empty inside
 *     a cluster
 * @param context the context in them; empty for the current one
 * @param namespace the namespace; empty for that of the file or the pod
 * @param origin where this was found, in words
 */
record ClusterAddress(String kubeconfig, String context, String namespace, String origin) {

    static final String VARIABLE = "KUBECONFIG";

    /** The option as a probe sees it, wherever it was set. */
    private static final String OPTION = "fiber.kubernetes.kubeconfig";

    private static final String OF_OPTION = "from " + OPTION;

    static final int WORDS = 4;

    private static final String INSIDE = "KUBERNETES_SERVICE_HOST";
    private static final String INSIDE_PORT = "KUBERNETES_SERVICE_PORT";
    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final Path TOKEN = ACCOUNT.resolve("token");
    private static final int CONNECT_LIMIT_MS = 5_000;
    private static final int ANSWER_LIMIT_MS = 20_000;
    private static final int REPEATS = 2;
    private static final int FIRST_PAUSE_MS = 200;
    private static final int MOST_REQUESTS = 1_000;
    private static final int AGAIN_MS = 500;

    /**
     * Finds the cluster: the option, {@code KUBECONFIG}, the cluster in which this process runs, {@code
     * ~/.kube/config}.
     *
     * @throws BackendException FBR-169 if there is none, or if a context is requested of the cluster in which this
     *     process runs
     */
    static ClusterAddress find(KubernetesOptions options, Environment environment) {
        return find(options, environment, TOKEN);
    }

    /** Finds the cluster; a pod's token may be in another file. */
    static ClusterAddress find(KubernetesOptions options, Environment environment, Path token) {
        String context = options.context().orElse("");
        String namespace = options.namespace().orElse("");
        Optional<String> named = environment.variable(VARIABLE);
        if (options.kubeconfig().isPresent()) {
            return new ClusterAddress(absolute(options.kubeconfig().get()), context, namespace, OF_OPTION);
        }
        if (named.isPresent()) {
            return new ClusterAddress(
                    absolute(named.get()), context, namespace, "from environment variable " + VARIABLE);
        }
        if (insideOf(environment, token).isPresent()) {
            if (!context.isEmpty()) {
                throw new BackendException("FBR-169 The context '" + context
                        + "' (from fiber.kubernetes.context) is not known here: this process is in a pod, whose"
                        + " service account is valid only in the pod's own cluster. Name a kubeconfig that has the"
                        + " context in "
                        + OPTION
                        + ", or leave fiber.kubernetes.context out.");
            }
            return new ClusterAddress("", "", namespace, "the cluster that this process runs in");
        }
        Path home = homeFile(environment);
        if (Files.isReadable(home)) {
            return new ClusterAddress(home.toString(), context, namespace, "from " + home);
        }
        throw new BackendException("FBR-169 No cluster is known: this process is not in a pod with a service account's"
                + " token, " + VARIABLE + " is not set, and there is no file " + home
                + ". Name a kubeconfig in fiber.kubernetes.kubeconfig.");
    }

    /** Returns absolute paths, because the process that removes what a program has left runs in another directory. */
    private static String absolute(String paths) {
        return Arrays.stream(paths.split(File.pathSeparator, -1))
                .map(path -> path.isBlank() ? path : new File(path).getAbsolutePath())
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the evidence that this process is in a pod that may contact the API server; empty if it is not. */
    static Optional<String> insideOf(Environment environment) {
        return insideOf(environment, TOKEN);
    }

    private static Optional<String> insideOf(Environment environment, Path token) {
        return environment
                .variable(INSIDE)
                .filter(host -> Files.isReadable(token))
                .map(host -> INSIDE + "=" + host);
    }

    /** Returns the kubeconfig that is used outside a cluster; empty if there is none. */
    static Optional<String> fileOf(Environment environment) {
        return environment
                .property(OPTION)
                .map(path -> OPTION + "=" + path)
                .or(() -> environment.variable(VARIABLE).map(path -> VARIABLE + "=" + path))
                .or(() -> Optional.of(homeFile(environment))
                        .filter(Files::isReadable)
                        .map(Path::toString));
    }

    static Path homeFile(Environment environment) {
        return Path.of(environment.property("user.home").orElse("/"), ".kube", "config");
    }

    boolean isInside() {
        return kubeconfig.isEmpty();
    }

    /**
     * Returns the client's configuration.
     *
     * @throws BackendException FBR-169 if a file cannot be read, or lacks the context or what the context refers to
     */
    Config config() {
        return config(Environment.system());
    }

    /** Returns the client's configuration in another environment. */
    Config config(Environment environment) {
        Config found = isInside()
                ? inside(environment, ACCOUNT)
                : Kubeconfig.read(kubeconfig, origin).config(context, environment);
        ConfigBuilder builder = new ConfigBuilder(found)
                .withConnectionTimeout(CONNECT_LIMIT_MS)
                .withRequestTimeout(ANSWER_LIMIT_MS)
                .withRequestRetryBackoffLimit(REPEATS)
                .withRequestRetryBackoffInterval(FIRST_PAUSE_MS)
                .withMaxConcurrentRequests(MOST_REQUESTS)
                .withMaxConcurrentRequestsPerHost(MOST_REQUESTS)
                .withWatchReconnectInterval(AGAIN_MS)
                .withUserAgent("fiber");
        if (!namespace.isEmpty()) {
            builder.withNamespace(namespace);
        }
        return builder.build();
    }

    /** Returns the configuration for a pod's own cluster; the client itself would read {@code ~/.kube/config} first. */
    static Config inside(Environment environment, Path account) {
        String host = environment.variable(INSIDE).orElse("");
        Config config = Config.empty();
        config.setMasterUrl("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + environment.variable(INSIDE_PORT).orElse("443") + "/");
        Path certificates = account.resolve("ca.crt");
        if (Files.isReadable(certificates)) {
            config.setCaCertFile(certificates.toString());
        }
        // Read for each request, because the node renews it.
        config.setOauthTokenProvider(() -> textOf(account.resolve("token")));
        config.setNamespace(textOf(account.resolve("namespace")));
        return config;
    }

    /** Returns the content of a file of the service account; empty if there is none. */
    private static String textOf(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns the namespace of this process's pod; empty if unknown. */
    static Optional<String> ownNamespace() {
        return Optional.of(textOf(ACCOUNT.resolve("namespace"))).filter(name -> !name.isEmpty());
    }

    /** Returns the options of {@code fiber} that select the same cluster, each with a blank in front. */
    String settings() {
        return (origin.equals(OF_OPTION) ? " -s kubernetes.kubeconfig=" + quoted(kubeconfig) : "")
                + (context.isEmpty() ? "" : " -s kubernetes.context=" + quoted(context));
    }

    /** Returns a text as one word of a shell. */
    private static String quoted(String text) {
        return text.matches("[\\w./:@+-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
    }

    /** Returns words that {@link #ofWords} understands. */
    List<String> words() {
        return List.of(kubeconfig, context, namespace, origin);
    }

    /** Returns the address for these words. */
    static ClusterAddress ofWords(List<String> words) {
        return new ClusterAddress(words.get(0), words.get(1), words.get(2), words.get(3));
    }

    /** Returns the same address with this namespace. */
    ClusterAddress in(String which) {
        return new ClusterAddress(kubeconfig, context, which, origin);
    }
}
