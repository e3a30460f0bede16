// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.AuthProviderConfig;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfoBuilder;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A user of a kubeconfig. Whatever the client would leave out, so that it would ask as another user, is set here or
 * rejected. Immutable.
 */
final class KubeconfigUser {

    /** The client has no setting for it. */
    private static final String UID_HEADER = "Impersonate-Uid";

    /** Bytes of a header's name, except that the percent sign begins an escape. */
    private static final String HEADER_NAME = "!#$&'*+-.^_`|~";

    private final NamedAuthInfo entry;
    private final AuthInfo info;
    private final Path file;
    private final String words;

    /**
     * Creates it.
     *
     * @param origin where the kubeconfig was set, in words
     * @throws BackendException FBR-169 if the user cannot be used
     */
    KubeconfigUser(NamedAuthInfo entry, String origin) {
        this.entry = entry;
        this.info = Optional.ofNullable(entry.getUser()).orElseGet(AuthInfo::new);
        this.file = fileOf(entry.getAdditionalProperties());
        this.words = "user '" + entry.getName() + "' of the kubeconfig '" + file + "' (" + origin + ")";
        check();
    }

    /** Returns the file of an entry, which the client's parser records. */
    static Path fileOf(Map<String, Object> properties) {
        return properties.values().stream()
                .filter(File.class::isInstance)
                .map(each -> ((File) each).toPath())
                .findFirst()
                .orElse(Path.of("/"));
    }

    static boolean isSet(@Nullable String text) {
        return text != null && !text.isEmpty();
    }

    private void check() {
        boolean hasToken = isSet(info.getToken()) || isSet(info.getTokenFile());
        if (isSet(info.getUsername()) != isSet(info.getPassword())) {
            throw refused("has only one of username and password", "both");
        }
        if (hasToken && isSet(info.getUsername())) {
            throw refused("has a token and a username", "one of them");
        }
        if (info.getExec() != null && info.getAuthProvider() != null) {
            throw refused("has exec and auth-provider", "one of them");
        }
        checkPair();
        if (!isSet(info.getAs())
                && (isSet(info.getAsUid())
                        || !orNone(info.getAsGroups()).isEmpty()
                        || !orNone(info.getAsUserExtra()).isEmpty())) {
            throw refused("has as-uid, as-groups or as-user-extra without as", "the name of a user in as");
        }
        ExecConfig exec = info.getExec();
        if (exec != null && !isSet(exec.getCommand())) {
            throw refused("has exec without a command", "the name or path of a program");
        }
        if (exec != null && orNone(exec.getEnv()).stream().anyMatch(each -> !isSet(each.getName()))) {
            throw refused("has exec with an env entry without a name", "a name");
        }
        if (exec != null && "Always".equals(exec.getInteractiveMode())) {
            throw refused(
                    "has the program '" + exec.getCommand() + "' with interactiveMode Always, which Fiber cannot give"
                            + " an input",
                    "IfAvailable or Never");
        }
        AuthProviderConfig provider = info.getAuthProvider();
        if (provider != null && !("oidc".equals(provider.getName()) && isSet(idToken(provider)))) {
            throw refused(
                    "has the auth-provider '" + provider.getName() + "', which Fiber cannot ask for a token",
                    "exec, token or tokenFile, or the auth-provider oidc with an id-token");
        }
    }

    private void checkPair() {
        boolean hasCertificate = isSet(info.getClientCertificate()) || isSet(info.getClientCertificateData());
        boolean hasKey = isSet(info.getClientKey()) || isSet(info.getClientKeyData());
        if (hasCertificate != hasKey) {
            throw refused("has only one of a client certificate and its key", "both");
        }
        checkReadable(
                info.getClientCertificateData(),
                info.getClientCertificate(),
                file,
                "client-certificate of the " + words);
        checkReadable(info.getClientKeyData(), info.getClientKey(), file, "client-key of the " + words);
    }

    /**
     * Checks a file that a kubeconfig names.
     *
     * @param data what replaces the file
     * @throws BackendException FBR-169 if it cannot be read
     */
    static void checkReadable(@Nullable String data, @Nullable String named, Path kubeconfig, String what) {
        if (!isSet(data) && isSet(named) && !Files.isReadable(kubeconfig.resolveSibling(named))) {
            throw new BackendException("FBR-169 The file '" + kubeconfig.resolveSibling(named) + "' (" + what
                    + ") cannot be read. Expected a file in PEM format. Correct the path, which is relative to the"
                    + " kubeconfig, or the file's permissions.");
        }
    }

    private BackendException refused(String what, String expected) {
        return new BackendException("FBR-169 The " + words + " " + what + ". Expected " + expected
                + ", as 'kubectl config view' shows them. Correct the user, or choose another context.");
    }

    /** Returns the entry without what the client itself would do in another way. */
    NamedAuthInfo forClient() {
        return new NamedAuthInfoBuilder(entry)
                .withUser(info)
                .editUser()
                .withExec(null)
                .withAuthProvider(null)
                .endUser()
                .build();
    }

    /**
     * Sets in a configuration what the client does not read.
     *
     * @param server the cluster, which a program for credentials may need to know
     * @throws BackendException FBR-169 if there are no credentials
     */
    void login(Config config, NamedCluster server, Environment environment) {
        impersonate(config);
        AuthProviderConfig provider = info.getAuthProvider();
        ExecConfig exec = info.getExec();
        if (isSet(info.getTokenFile())) {
            config.setOauthTokenProvider(new TokenFile());
        } else if (isSet(info.getToken())) {
            return;
        } else if (provider != null) {
            config.setAutoOAuthToken(idToken(provider));
        } else if (exec != null) {
            new ExecPlugin(exec, new ExecPlugin.Owner(file, words, server), environment, InstantSource.system())
                    .login(config);
        }
    }

    private static @Nullable String idToken(AuthProviderConfig provider) {
        return orNone(provider.getConfig()).get("id-token");
    }

    private void impersonate(Config config) {
        if (!isSet(info.getAs())) {
            return;
        }
        config.setImpersonateUsername(info.getAs());
        config.setImpersonateGroups(orNone(info.getAsGroups()).toArray(String[]::new));
        Map<String, List<String>> extras = new LinkedHashMap<>();
        orNone(info.getAsUserExtra()).forEach((name, values) -> extras.put(headerName(name), orNone(values)));
        config.setImpersonateExtras(extras);
        if (isSet(info.getAsUid())) {
            config.setCustomHeaders(Map.of(UID_HEADER, info.getAsUid()));
        }
    }

    /** Returns a name as a part of a header's name, as the API server reads it. */
    private static String headerName(String name) {
        StringBuilder header = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            boolean isLegal = (each >= '0' && each <= '9')
                    || (each >= 'a' && each <= 'z')
                    || (each >= 'A' && each <= 'Z')
                    || HEADER_NAME.indexOf(each) >= 0;
            header.append(isLegal ? String.valueOf((char) each) : "%%%02X".formatted(each));
        }
        return header.toString();
    }

    /** A kubeconfig may have {@code null} in place of a list. */
    static <T> List<T> orNone(@Nullable List<T> list) {
        return list == null ? List.of() : list;
    }

    private static <V> Map<String, V> orNone(@Nullable Map<String, V> map) {
        return map == null ? Map.of() : map;
    }

    /** The token in a file, which is read for each request, because something renews it. */
    private final class TokenFile implements OAuthTokenProvider {
        private final Path path = file.resolveSibling(info.getTokenFile());
        private volatile String last = "";

        TokenFile() {
            String given = info.getToken();
            last = given == null ? "" : given;
            if (getToken().isEmpty()) {
                throw new BackendException("FBR-169 The file '" + path + "' (tokenFile of the " + words
                        + ") has no token that can be read. Expected a file with a bearer token. Correct the path,"
                        + " which is relative to the kubeconfig, or the file.");
            }
        }

        /** If the file cannot be read, this is the last token that was read. */
        @Override
        public String getToken() {
            try {
                String read = Files.readString(path).strip();
                if (!read.isEmpty()) {
                    last = read;
                }
            } catch (IOException e) {
                return last;
            }
            return last;
        }
    }
}
