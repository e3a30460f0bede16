// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import io.fiber.backend.support.CredentialProgram;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import io.fiber.spi.backend.BackendUnavailableException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The program in a kubeconfig that prints a user's credentials. Unlike the client's own implementation, this one runs
 * it with a time limit and without input, runs it again before its token expires, and reports its error output.
 * Thread-safe.
 */
final class ExecPlugin implements OAuthTokenProvider {

    /** A program may ask a server; one that waits for a person would never end. */
    private static final long LIMIT_MS = 60_000;

    private static final String EXTENSION = "client.authentication.k8s.io/exec";

    /** A token must still be valid when the request arrives, and clocks differ. */
    private static final Duration EARLY = Duration.ofSeconds(30);

    private final ExecConfig plugin;
    private final Owner owner;
    private final Environment environment;
    private final InstantSource clock;
    private @Nullable Credentials last;

    /** What the program has printed; without a time, it is valid for the life of this process. */
    private record Credentials(String token, String certificate, String key, Instant expiry) {
        @Override
        public String toString() {
            return "credentials until " + expiry;
        }
    }

    /**
     * The user whose credentials these are.
     *
     * @param file the kubeconfig, to which the program's path may be relative
     * @param words the user, in words
     * @param server the cluster of the context
     */
    record Owner(Path file, String words, NamedCluster server) {}

    /** Creates it without running anything. */
    ExecPlugin(ExecConfig plugin, Owner owner, Environment environment, InstantSource clock) {
        this.plugin = plugin;
        this.owner = owner;
        this.environment = environment;
        this.clock = clock;
    }

    /**
     * Runs the program, and passes its output on to the client. The client asks for the token again, but not for the
     * certificate: when that expires, the cluster rejects the session's requests.
     *
     * @throws BackendUnavailableException FBR-169 if it prints no credentials
     */
    void login(Config config) {
        Credentials first = credentials();
        if (!first.token().isEmpty()) {
            config.setOauthTokenProvider(this);
        }
        if (!first.certificate().isEmpty()) {
            config.setClientCertData(first.certificate());
            config.setClientKeyData(first.key());
            config.setClientKeyAlgo(Config.getKeyAlgorithm(null, first.key()));
        }
    }

    @Override
    public String getToken() {
        return credentials().token();
    }

    private synchronized Credentials credentials() {
        Credentials known = last;
        if (known == null || clock.instant().plus(EARLY).isAfter(known.expiry())) {
            known = run();
            last = known;
        }
        return known;
    }

    private Credentials run() {
        try {
            Map<String, String> variables = new HashMap<>();
            variables.put("KUBERNETES_EXEC_INFO", info());
            KubeconfigUser.orNone(plugin.getEnv())
                    .forEach(each -> variables.put(each.getName(), each.getValue() == null ? "" : each.getValue()));
            CredentialProgram.Answer answer = CredentialProgram.run(command(), variables, "", LIMIT_MS);
            JsonNode status = read(answer.output()).path("status");
            Credentials found = new Credentials(
                    status.path("token").asText(""),
                    status.path("clientCertificateData").asText(""),
                    status.path("clientKeyData").asText(""),
                    expiry(status.path("expirationTimestamp").asText("")));
            if (answer.exitCode() != 0
                    || (found.token().isEmpty() && found.certificate().isEmpty())) {
                throw new IOException(answer.toString());
            }
            return found;
        } catch (IOException e) {
            String hint = plugin.getInstallHint();
            throw new BackendUnavailableException(
                    "FBR-169 The program '" + plugin.getCommand() + "' returned no credentials for the " + owner.words()
                            + ": "
                            + String.valueOf(e.getMessage()).replaceFirst("\\.$", "")
                            + ". Expected an ExecCredential with a token or a client certificate. Run it by hand,"
                            + " without input; you may have to log in again."
                            + (hint == null ? "" : " " + hint.strip()),
                    e);
        }
    }

    /** Returns what the program is told. */
    private String info() throws IOException {
        Map<String, Object> spec = new LinkedHashMap<>(Map.of("interactive", false));
        if (Boolean.TRUE.equals(plugin.getProvideClusterInfo())) {
            spec.put("cluster", cluster());
        }
        return new ObjectMapper()
                .writeValueAsString(Map.of(
                        "kind", "ExecCredential", "apiVersion", String.valueOf(plugin.getApiVersion()), "spec", spec));
    }

    private Map<String, Object> cluster() throws IOException {
        Cluster server = owner.server().getCluster();
        Map<String, Object> told = new LinkedHashMap<>();
        told.put("server", server.getServer());
        told.put("insecure-skip-tls-verify", Boolean.TRUE.equals(server.getInsecureSkipTlsVerify()));
        if (KubeconfigUser.isSet(server.getProxyUrl())) {
            told.put("proxy-url", server.getProxyUrl());
        }
        String authority = server.getCertificateAuthorityData();
        if (!KubeconfigUser.isSet(authority) && KubeconfigUser.isSet(server.getCertificateAuthority())) {
            Path from = KubeconfigUser.fileOf(owner.server().getAdditionalProperties());
            authority = Base64.getEncoder()
                    .encodeToString(Files.readAllBytes(from.resolveSibling(server.getCertificateAuthority())));
        }
        if (KubeconfigUser.isSet(authority)) {
            told.put("certificate-authority-data", authority);
        }
        KubeconfigUser.orNone(server.getExtensions()).stream()
                .filter(each -> EXTENSION.equals(each.getName()))
                .findFirst()
                .ifPresent(each -> told.put("config", each.getExtension()));
        return told;
    }

    private List<String> command() throws IOException {
        String name = plugin.getCommand();
        Path program = name.contains(File.separator)
                ? owner.file().resolveSibling(name)
                : LocalCommands.find(name, environment)
                        .orElseThrow(() -> new IOException("it is in no directory of PATH"));
        List<String> words = new ArrayList<>(List.of(program.toString()));
        words.addAll(KubeconfigUser.orNone(plugin.getArgs()));
        return words;
    }

    private static JsonNode read(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (JsonProcessingException e) {
            // Its message would quote the token.
            return MissingNode.getInstance();
        }
    }

    private static Instant expiry(String text) throws IOException {
        try {
            return text.isEmpty() ? Instant.MAX : OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            throw new IOException("its expirationTimestamp is '" + text + "'", e);
        }
    }
}
