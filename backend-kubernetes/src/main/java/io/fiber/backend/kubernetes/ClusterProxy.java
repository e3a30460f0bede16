// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the proxy to an API server, as {@code kubectl} does. The client itself reads no variable, and accepts no HTTP
 * {@code proxy-url} for an HTTPS server.
 */
final class ClusterProxy {

    private static final String VARIABLE = "HTTPS_PROXY";
    private static final String EXCEPTIONS = "NO_PROXY";
    private static final String LOOPBACK = "https://(localhost|127\\.[\\d.]+|\\[::1\\])([:/].*)?";
    private static final int DEFAULT_PORT = 80;

    private ClusterProxy() {}

    /**
     * Sets the proxy of the kubeconfig, or by default that of the environment, which does not apply to the loopback and
     * {@code NO_PROXY}.
     *
     * @param named the {@code proxy-url} of the cluster
     * @param origin where it was set, in words
     * @throws BackendException FBR-169 if it is not an HTTP proxy
     */
    static void set(Config config, @Nullable String named, String origin, Environment environment) {
        Optional<String> variable = variable(environment, VARIABLE);
        if (named != null && !named.isBlank()) {
            String url = checked(named, origin);
            config.setHttpProxy(url);
            config.setHttpsProxy(url);
        } else if (variable.isPresent() && !config.getMasterUrl().matches(LOOPBACK)) {
            config.setHttpsProxy(checked(variable.get(), "environment variable " + VARIABLE));
            config.setNoProxy(variable(environment, EXCEPTIONS)
                    .map(ClusterProxy::exceptions)
                    .orElseGet(() -> new String[0]));
        }
    }

    private static Optional<String> variable(Environment environment, String name) {
        return environment.variable(name).or(() -> environment.variable(name.toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns the suffixes of names, and the addresses, that are reached directly; the client rejects other characters.
     */
    private static String[] exceptions(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(entry -> entry.matches("\\*?[\\w.:/-]*") && !entry.isEmpty() && !entry.contains("_"))
                .map(entry -> entry.startsWith("*") ? entry.substring(1) : entry)
                .toArray(String[]::new);
    }

    private static String checked(String text, String origin) {
        try {
            URI url = new URI(text.contains("://") ? text : "http://" + text);
            if ("http".equals(url.getScheme()) && url.getHost() != null) {
                return "http://" + url.getRawAuthority() + (url.getPort() < 0 ? ":" + DEFAULT_PORT : "");
            }
            throw refused(text, origin);
        } catch (URISyntaxException e) {
            throw refused(text, origin);
        }
    }

    private static BackendException refused(String text, String origin) {
        // Without a password.
        return new BackendException("FBR-169 The proxy '" + text.replaceFirst(".*@", "") + "' (" + origin
                + ") cannot be used. Expected http://host:port. Correct it, or remove it if the API server can be"
                + " reached without a proxy.");
    }
}
