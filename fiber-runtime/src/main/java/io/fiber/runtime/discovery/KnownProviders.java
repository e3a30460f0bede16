// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import io.fiber.runtime.config.ConfigFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The existing providers and their artifacts, for hints, and the default provider of each kind. All of it is in a
 * resource file, so that no code names a provider. Immutable.
 */
final class KnownProviders {

    private static final String RESOURCE = "known-providers.properties";
    private static final String DEFAULT = "default.";

    private final Map<String, String> entries;

    private KnownProviders(Map<String, String> entries) {
        this.entries = entries;
    }

    static KnownProviders load() {
        try (InputStream resource = KnownProviders.class.getResourceAsStream(RESOURCE)) {
            if (resource == null) {
                throw new IllegalStateException("Resource " + RESOURCE + " is missing in the jar of fiber-runtime.");
            }
            String text = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
            return new KnownProviders(ConfigFile.parse(RESOURCE, text));
        } catch (IOException e) {
            throw new UncheckedIOException("Resource " + RESOURCE + " of fiber-runtime cannot be read.", e);
        }
    }

    /** Returns the artifact of each provider of a kind, by its name, in the order of the file. */
    Map<String, String> artifacts(ProviderKind<?> kind) {
        return under(kind.noun() + ".");
    }

    private Map<String, String> under(String prefix) {
        Map<String, String> found = new LinkedHashMap<>();
        entries.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                found.put(key.substring(prefix.length()), value);
            }
        });
        return found;
    }

    /** Returns the artifacts in words: {@code fiber-backend-local ('local'), fiber-backend-slurm ('slurm')}. */
    String listed(ProviderKind<?> kind) {
        return artifacts(kind).entrySet().stream()
                .map(known -> known.getValue() + " ('" + known.getKey() + "')")
                .collect(Collectors.joining(", "));
    }

    /** Returns the name of the default provider; empty if a kind has none. */
    Optional<String> defaultName(ProviderKind<?> kind) {
        return Optional.ofNullable(entries.get(DEFAULT + kind.noun()));
    }

    /** Returns, by the backends' names, the environment variable with the number of a job's tasks. */
    Map<String, String> taskVariables() {
        return under("tasks.");
    }

    Set<String> names() {
        Set<String> names = new LinkedHashSet<>();
        for (String key : entries.keySet()) {
            if (!key.startsWith(DEFAULT)) {
                names.add(key.substring(key.indexOf('.') + 1));
            }
        }
        return names;
    }
}
