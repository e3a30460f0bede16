// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import io.fiber.spi.OptionKey;
import io.fiber.spi.Options;
import io.fiber.spi.backend.BackendProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/** What the command line of {@link StandaloneTck} says, kept in system properties. */
final class StandaloneOptions {

    static final String OPTION_PREFIX = StandaloneFixture.PREFIX + "option.";
    private static final Set<String> SETTINGS =
            Set.of("backend", "java", "class-path", "image", "start-limit", "orphan-limit", "slots");

    private StandaloneOptions() {}

    /**
     * Reads the words of the command line into system properties.
     *
     * @throws IllegalArgumentException when a word is not understood or a value is missing
     */
    static void read(List<String> words) {
        for (int i = 0; i < words.size(); i += 2) {
            String word = words.get(i);
            if (i + 1 == words.size()) {
                throw new IllegalArgumentException("'" + word + "' needs a value behind it. See --help.");
            }
            String value = words.get(i + 1);
            if (word.equals("--option")) {
                int equals = value.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("--option '" + value + "' must be key=value.");
                }
                System.setProperty(OPTION_PREFIX + value.substring(0, equals), value.substring(equals + 1));
            } else if (word.equals("--report")) {
                System.setProperty(io.fiber.tck.report.ClauseReport.DIRECTORY_PROPERTY, value);
            } else if (word.startsWith("--") && SETTINGS.contains(word.substring(2))) {
                System.setProperty(StandaloneFixture.PREFIX + word.substring(2), value);
            } else {
                throw new IllegalArgumentException("Unknown option '" + word + "'. See --help.");
            }
        }
        if (System.getProperty(StandaloneFixture.PREFIX + "backend") == null) {
            throw new IllegalArgumentException("--backend NAME is missing. See --help.");
        }
    }

    /**
     * Finds the provider of this name.
     *
     * @throws IllegalArgumentException when there is none or more than one
     */
    static BackendProvider provider(String name) {
        List<BackendProvider> all = ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        List<BackendProvider> named =
                all.stream().filter(each -> each.name().equals(name)).toList();
        if (named.size() != 1) {
            throw new IllegalArgumentException((named.isEmpty() ? "No" : "More than one") + " backend '" + name
                    + "' (from --backend). On the class path: "
                    + all.stream().map(BackendProvider::name).sorted().toList() + ".");
        }
        return named.get(0);
    }

    /**
     * Returns the options of the backend that were given.
     *
     * @throws IllegalArgumentException when the provider does not know one, or its value is not what was expected
     */
    static Options options(BackendProvider provider) {
        List<Options.Value> values = new ArrayList<>();
        System.getProperties().stringPropertyNames().stream()
                .filter(property -> property.startsWith(OPTION_PREFIX))
                .sorted()
                .forEach(property -> {
                    String name = property.substring(OPTION_PREFIX.length());
                    values.add(new Options.Value(key(provider, name), System.getProperty(property), "--option"));
                });
        return Options.of(values);
    }

    private static OptionKey key(BackendProvider provider, String name) {
        return provider.options().stream()
                .filter(key -> key.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("Unknown option '" + name + "' (from --option) of backend '"
                                + provider.name() + "'. Valid options: "
                                + provider.options().stream()
                                        .map(OptionKey::name)
                                        .sorted()
                                        .toList() + "."));
    }
}
