// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.ConfigBuilder;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the files that describe clusters as {@code kubectl} does: if two entries have the same name the first one
 * applies, and if there are several files a missing one is skipped. If a name is missing, the client would use another
 * cluster; this class rejects a context, cluster or user that no file has. Immutable.
 */
final class Kubeconfig {

    private static final String FORMAT = "Expected a file as 'kubectl config view --raw --minify' prints it.";

    private final String paths;
    private final String origin;
    private final List<Config> parts;

    private Kubeconfig(String paths, String origin, List<Config> parts) {
        this.paths = paths;
        this.origin = origin;
        this.parts = parts;
    }

    /**
     * Reads files.
     *
     * @param paths paths separated as in {@code KUBECONFIG}
     * @param origin where they were set, in words
     * @throws BackendException FBR-169 if none exists, or one cannot be read
     */
    static Kubeconfig read(String paths, String origin) {
        List<File> files = Arrays.stream(paths.split(File.pathSeparator))
                .filter(path -> !path.isBlank())
                .map(File::new)
                .filter(File::exists)
                .toList();
        if (files.isEmpty()) {
            throw new BackendException("FBR-169 The kubeconfig '" + paths + "' (" + origin
                    + ") cannot be read: there is no such file. " + FORMAT);
        }
        return new Kubeconfig(
                paths, origin, files.stream().map(file -> part(file, origin)).toList());
    }

    private static Config part(File file, String origin) {
        try {
            return KubeConfigUtils.parseConfig(file);
        } catch (RuntimeException e) {
            throw new BackendException(
                    "FBR-169 The kubeconfig '" + file + "' (" + origin + ") cannot be read: " + deepest(e) + ". "
                            + FORMAT,
                    e);
        }
    }

    private static String deepest(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage()).lines().findFirst().orElse("").strip();
    }

    /**
     * Returns the client's configuration for a context.
     *
     * @param wanted its name; empty for the current one
     * @param environment provides the proxy if the cluster has none
     * @throws BackendException FBR-169 if no file has the context, or the cluster or user to which it refers, or if
     *     they cannot be used
     */
    io.fabric8.kubernetes.client.Config config(String wanted, Environment environment) {
        String name = wanted.isEmpty() ? current() : wanted;
        NamedContext context = entry(
                "context '" + name + "' ("
                        + (wanted.isEmpty() ? "its current-context" : "from fiber.kubernetes.context") + ")",
                name,
                Config::getContexts,
                NamedContext::getName);
        String owner = "' of its context '" + name + "'";
        String cluster = Objects.requireNonNullElse(context.getContext().getCluster(), "");
        String user = Objects.requireNonNullElse(context.getContext().getUser(), "");
        NamedCluster server = entry(
                "cluster '" + cluster + owner,
                cluster,
                Config::getClusters,
                each -> each.getCluster() == null ? "" : each.getName());
        check(server);
        ConfigBuilder chosen = new ConfigBuilder()
                .withCurrentContext(name)
                .withContexts(context)
                .withClusters(server);
        Optional<KubeconfigUser> login = user.isEmpty()
                ? Optional.empty()
                : Optional.of(new KubeconfigUser(
                        entry("user '" + user + owner, user, Config::getUsers, NamedAuthInfo::getName), origin));
        login.ifPresent(each -> chosen.withUsers(each.forClient()));
        io.fabric8.kubernetes.client.Config config = io.fabric8.kubernetes.client.Config.empty();
        KubeConfigUtils.merge(config, name, chosen.build());
        login.ifPresent(each -> each.login(config, server, environment));
        ClusterProxy.set(
                config,
                server.getCluster().getProxyUrl(),
                "proxy-url of the cluster '" + cluster + "' of the kubeconfig '" + paths + "'",
                environment);
        return config;
    }

    /**
     * Rejects what the client would leave out. The JDK's client would compare the certificate only with the URL, not
     * with a server name.
     */
    private void check(NamedCluster entry) {
        Cluster cluster = entry.getCluster();
        String owner = "cluster '" + entry.getName() + "' of the kubeconfig '" + paths + "' (" + origin + ")";
        if (!KubeconfigUser.isSet(cluster.getServer())) {
            throw new BackendException("FBR-169 The " + owner + " has no server. Expected the URL of an API server,"
                    + " such as https://10.0.0.1:6443. Correct the cluster, or choose another context.");
        }
        String name = cluster.getTlsServerName();
        if (KubeconfigUser.isSet(name)) {
            throw new BackendException("FBR-169 The " + owner + " has the tls-server-name '" + name
                    + "', which Fiber cannot use. Expected a server"
                    + " whose certificate has the host name of its URL: make '" + name + "' resolve to it, for"
                    + " example in /etc/hosts, use that name in server, and remove tls-server-name.");
        }
        boolean hasAuthority = KubeconfigUser.isSet(cluster.getCertificateAuthority())
                || KubeconfigUser.isSet(cluster.getCertificateAuthorityData());
        if (hasAuthority && Boolean.TRUE.equals(cluster.getInsecureSkipTlsVerify())) {
            throw new BackendException("FBR-169 The " + owner + " has a certificate-authority and"
                    + " insecure-skip-tls-verify, which kubectl rejects too. Expected one of them: remove"
                    + " insecure-skip-tls-verify to have the server's certificate checked.");
        }
        KubeconfigUser.checkReadable(
                cluster.getCertificateAuthorityData(),
                cluster.getCertificateAuthority(),
                KubeconfigUser.fileOf(entry.getAdditionalProperties()),
                "certificate-authority of the " + owner);
    }

    private String current() {
        return parts.stream()
                .map(Config::getCurrentContext)
                .filter(name -> name != null && !name.isEmpty())
                .findFirst()
                .orElseThrow(() -> new BackendException("FBR-169 The kubeconfig '" + paths + "' (" + origin
                        + ") has no current-context. Name one of " + names(Config::getContexts, NamedContext::getName)
                        + " in fiber.kubernetes.context, or run 'kubectl config use-context'."));
    }

    /** Returns the entry of a name; if there are several, the first one. */
    private <T> T entry(String what, String name, Function<Config, List<T>> entries, Function<T, String> nameOf) {
        return parts.stream()
                .flatMap(part -> entries.apply(part).stream())
                .filter(entry -> name.equals(nameOf.apply(entry)))
                .findFirst()
                .orElseThrow(() -> new BackendException("FBR-169 The kubeconfig '" + paths + "' (" + origin
                        + ") does not have the " + what + ". It has " + names(entries, nameOf)
                        + ". Correct the name; 'kubectl config view' shows what the files have."));
    }

    private <T> List<String> names(Function<Config, List<T>> entries, Function<T, String> nameOf) {
        return parts.stream()
                .flatMap(part -> entries.apply(part).stream())
                .map(nameOf)
                .distinct()
                .toList();
    }
}
