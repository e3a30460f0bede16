// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.github.dockerjava.api.model.AuthConfig;
import com.github.dockerjava.core.DockerClientConfig;
import io.fiber.backend.support.CredentialProgram;
import io.fiber.backend.support.batch.LocalCommands;
import io.fiber.spi.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the logins that {@code docker login} has stored with a credential helper. docker-java itself reads only those
 * in Docker's configuration. Thread-safe.
 */
final class RegistryLogins {

    private static final String PROGRAM = "docker-credential-";
    private static final Set<String> HUB = Set.of("docker.io", "index.docker.io");
    private static final String NO_LOGIN = "credentials not found";
    private static final String TOKEN_USER = "<token>";
    private static final long LIMIT_MS = 30_000;

    private final Environment environment;
    private final ObjectMapper json = DockerClientConfig.getDefaultObjectMapper();

    RegistryLogins(Environment environment) {
        this.environment = environment;
    }

    /** The result of the search for a registry's login. */
    sealed interface Found {}

    /** The login that a helper has. */
    record Login(AuthConfig config) implements Found {}

    /** No helper is configured, or it has no login. */
    record NoLogin() implements Found {}

    /**
     * Docker's configuration cannot be read, or its helper cannot be asked.
     *
     * @param what the file or the helper, in words
     */
    record Failed(String what, String why) implements Found {}

    /** Returns the login for the registry of an image. Waits for the helper, up to half a minute. */
    Found find(String image) {
        String registry = registryOf(image);
        Path file = DaemonAddress.configDirectory(environment).resolve("config.json");
        if (!Files.exists(file)) {
            return new NoLogin();
        }
        String what = "reading " + file;
        try {
            JsonNode configuration = json.readTree(file.toFile());
            String helper = configuration
                    .path("credHelpers")
                    .path(registry)
                    .asText(configuration.path("credsStore").asText(""));
            if (helper.isEmpty()) {
                return new NoLogin();
            }
            what = "'" + PROGRAM + helper + "' (from " + file + ")";
            return ask(PROGRAM + helper, registry).<Found>map(Login::new).orElseGet(NoLogin::new);
        } catch (IOException e) {
            return new Failed(what, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the registry's name in Docker's configuration. */
    private static String registryOf(String image) {
        String first = image.substring(0, Math.max(0, image.indexOf('/')));
        boolean isHost = first.contains(".") || first.contains(":") || first.equals("localhost");
        return isHost && !HUB.contains(first) ? first : AuthConfig.DEFAULT_SERVER_ADDRESS;
    }

    private Optional<AuthConfig> ask(String program, String registry) throws IOException {
        Path file = LocalCommands.find(program, environment)
                .orElseThrow(() -> new IOException("it is in no directory of PATH"));
        CredentialProgram.Answer answer =
                CredentialProgram.run(List.of(file.toString(), "get"), Map.of(), registry, LIMIT_MS);
        if (answer.exitCode() != 0) {
            // In this case the error is on its standard output.
            if (answer.output().contains(NO_LOGIN)) {
                return Optional.empty();
            }
            throw new IOException(answer
                    + (answer.complaint().isEmpty() ? ": " + answer.output().strip() : ""));
        }
        JsonNode login = read(answer.output());
        String user = login.path("Username").asText("");
        String secret = login.path("Secret").asText("");
        if (secret.isEmpty()) {
            throw new IOException("its answer has no Secret");
        }
        AuthConfig found = new AuthConfig().withRegistryAddress(registry);
        return Optional.of(
                user.equals(TOKEN_USER)
                        ? found.withIdentityToken(secret)
                        : found.withUsername(user).withPassword(secret));
    }

    private JsonNode read(String answer) {
        try {
            return json.readTree(answer);
        } catch (JsonProcessingException e) {
            // Its message would quote the secret.
            return MissingNode.getInstance();
        }
    }
}
