// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck;

import io.fiber.spi.Environment;
import io.fiber.spi.OptionKey;
import io.fiber.spi.Options;
import io.fiber.spi.Provider;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.transport.TransportProvider;
import io.fiber.tck.clause.ClauseSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;

/** The command line of {@link StandaloneTck}, stored in system properties. */
final class StandaloneOptions {

    static final String OPTION_PREFIX = StandaloneFixture.PREFIX + "option.";
    static final String BACKEND = "backend";
    static final String TRANSPORT = "transport";
    private static final Set<String> SETTINGS =
            Set.of(BACKEND, TRANSPORT, "java", "class-path", "image", "start-limit", "orphan-limit", "slots");

    private StandaloneOptions() {}

    /**
     * Parses the words of the command line into system properties.
     *
     * @throws IllegalArgumentException if a word is unknown or a value is missing
     */
    static void read(List<String> words) {
        for (int i = 0; i < words.size(); i += 2) {
            String word = words.get(i);
            if (i + 1 == words.size()) {
                throw new IllegalArgumentException("'" + word + "' needs a value after it. See --help.");
            }
            String value = words.get(i + 1);
            if (word.equals("--option")) {
                int equals = value.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException("--option '" + value + "' must be key=value.");
                }
                System.setProperty(OPTION_PREFIX + value.substring(0, equals), value.substring(equals + 1));
            } else if (word.equals("--clause")) {
                String before = System.getProperty(ClauseSelection.PROPERTY, "");
                System.setProperty(ClauseSelection.PROPERTY, before + "," + value);
            } else if (word.equals("--report")) {
                System.setProperty(io.fiber.tck.report.ClauseReport.DIRECTORY_PROPERTY, value);
            } else if (word.startsWith("--") && SETTINGS.contains(word.substring(2))) {
                System.setProperty(StandaloneFixture.PREFIX + word.substring(2), value);
            } else {
                throw new IllegalArgumentException("Unknown option '" + word + "'. See --help.");
            }
        }
        if (setting(BACKEND).isPresent() == setting(TRANSPORT).isPresent()) {
            throw new IllegalArgumentException("Expected either --backend NAME or --transport NAME. See --help.");
        }
    }

    /** Returns a value of the command line. */
    static Optional<String> setting(String name) {
        return Optional.ofNullable(System.getProperty(StandaloneFixture.PREFIX + name));
    }

    /**
     * Returns the backend of this name.
     *
     * @throws IllegalArgumentException if there is none or more than one
     */
    static BackendProvider backend(String name) {
        return only(BackendProvider.class, BACKEND, name);
    }

    /**
     * Returns the transport of this name.
     *
     * @throws IllegalArgumentException if there is none or more than one
     */
    static TransportProvider transport(String name) {
        return only(TransportProvider.class, TRANSPORT, name);
    }

    private static <P extends Provider> P only(Class<P> type, String kind, String name) {
        List<P> all = ServiceLoader.load(type).stream()
                .map(ServiceLoader.Provider::get)
                .toList();
        List<P> named = all.stream().filter(each -> each.name().equals(name)).toList();
        if (named.size() != 1) {
            throw new IllegalArgumentException((named.isEmpty() ? "No" : "More than one") + " " + kind + " '" + name
                    + "' (from --" + kind + "). On the class path: "
                    + all.stream().map(Provider::name).sorted().toList() + ".");
        }
        return named.get(0);
    }

    /** Returns this process's environment with the options as properties, as in a session. */
    static Environment environment(Provider provider, Options options) {
        String prefix = "fiber." + provider.name() + ".";
        return new Environment() {
            @Override
            public Optional<String> variable(String name) {
                return Environment.system().variable(name);
            }

            @Override
            public Optional<String> property(String name) {
                Optional<String> option =
                        name.startsWith(prefix) ? options.text(name.substring(prefix.length())) : Optional.empty();
                return option.or(() -> Environment.system().property(name));
            }
        };
    }

    /**
     * Returns the provider's options that were given.
     *
     * @throws IllegalArgumentException if the provider does not know one, or its value is invalid
     */
    static Options options(Provider provider) {
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

    private static OptionKey key(Provider provider, String name) {
        return provider.options().stream()
                .filter(key -> key.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown option '" + name + "' (from --option) of '"
                        + provider.name() + "'. Valid options: "
                        + provider.options().stream()
                                .map(OptionKey::name)
                                .sorted()
                                .toList() + "."));
    }
}
