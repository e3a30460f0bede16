// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import io.fiber.ConfigurationException;
import io.fiber.FiberException;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.Setting;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.BackendFailure;
import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.Probe;
import io.fiber.spi.backend.Backend;
import io.fiber.spi.backend.BackendContext;
import io.fiber.spi.backend.BackendException;
import io.fiber.spi.backend.BackendProvider;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Selects the backend of a session. The decision comes from the first of these: an instance or a name from the program,
 * the system property, the environment variable, the file, the only backend on the class path, the platform inside
 * which this process runs, the default. A cluster is not used just because it could be. A choice that cannot be
 * honoured is an error and never leads to another backend. Immutable and thread-safe.
 */
public final class BackendSelection {

    static final String ONLY_ONE = "the only one on the class path";

    private final ProviderCatalog<BackendProvider> catalog;
    private final Environment environment;

    public BackendSelection(ProviderCatalog<BackendProvider> catalog, Environment environment) {
        this.catalog = catalog;
        this.environment = environment;
    }

    private record Choice(BackendProvider provider, String reason, String whyNothingElse) {}

    /**
     * Selects the backend that the settings name, or the one that follows from class path and platform, and logs one
     * line. Asks backends for evidence on this machine; contacts no cluster.
     *
     * @throws ConfigurationException if there is none, if it cannot be used here, or if nothing decides between several
     */
    public Selected<BackendProvider> select(FiberConfig config) {
        catalog.refuseFaults();
        Optional<Setting> named = config.setting(catalog.kind().key());
        Choice choice = named.isPresent()
                ? explicit(catalog.require(named.get()), "from " + named.get().origin())
                : byCircumstances();
        Selected<BackendProvider> selected = usable(choice, withOptions(config, choice.provider()));
        if (named.isEmpty()) {
            tellOfUnusedTasks(choice.provider().name());
        }
        return selected;
    }

    /** Warns about unused nodes: a program that was given several would otherwise silently use one of them. */
    private void tellOfUnusedTasks(String selected) {
        KnownProviders known = catalog.known();
        known.taskVariables().forEach((name, variable) -> {
            int tasks = environment
                    .variable(variable)
                    .filter(count -> count.matches("\\d{1,9}"))
                    .map(Integer::parseInt)
                    .orElse(1);
            if (tasks > 1 && catalog.find(name).isEmpty()) {
                Logs.of(BackendSelection.class)
                        .log(
                                Level.WARNING,
                                "This job has " + tasks + " tasks (" + variable + "), but backend '" + selected
                                        + "' starts no workers in them. To have workers there, add "
                                        + known.artifacts(catalog.kind()).get(name)
                                        + " to the class path. If you want '" + selected + "', set "
                                        + catalog.kind().key().variable() + "=" + selected + ".");
            }
        });
    }

    /**
     * Asks every backend on the class path for evidence on this machine, and returns the answers by the backends'
     * names.
     */
    public SortedMap<String, Probe> probeAll(FiberConfig config) {
        SortedMap<String, Probe> answers = new TreeMap<>();
        for (BackendProvider provider : catalog.providers()) {
            answers.put(provider.name(), probe(provider, withOptions(config, provider)));
        }
        return answers;
    }

    /** Whether a platform can be used may depend on its options, wherever they were set. */
    private Environment withOptions(FiberConfig config, BackendProvider provider) {
        Options options = config.optionsOf(provider);
        String prefix = "fiber." + provider.name() + ".";
        return new Environment() {
            @Override
            public Optional<String> variable(String name) {
                return environment.variable(name);
            }

            @Override
            public boolean isSet(String variable) {
                return environment.isSet(variable);
            }

            @Override
            public Optional<String> property(String name) {
                Optional<String> option =
                        name.startsWith(prefix) ? options.text(name.substring(prefix.length())) : Optional.empty();
                return option.or(() -> environment.property(name));
            }
        };
    }

    /** Takes an instance from the program, and logs one line; throws FBR-105 if it cannot be used here. */
    public Selected<BackendProvider> given(BackendProvider instance) {
        return usable(explicit(instance, "an instance from the program's code"), environment);
    }

    /**
     * Opens a platform.
     *
     * @throws FiberException if it cannot be opened, with the {@link BackendException} of the provider as its cause;
     *     FBR-105 if the provider throws what a provider must not throw
     */
    public static Backend open(BackendProvider provider, BackendContext context) {
        try {
            return provider.create(context);
        } catch (BackendException e) {
            throw BackendFailure.of(e);
        } catch (FiberException | VirtualMachineError e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw new ConfigurationException(
                    "FBR-105 Backend '" + provider.name() + "', " + Location.describe(provider.getClass())
                            + ", cannot be used: its create() threw " + sentence(e.toString())
                            + " The cause of this exception has the stack trace.",
                    e);
        }
    }

    private static Choice explicit(BackendProvider provider, String reason) {
        return new Choice(provider, reason, "the choice was explicit");
    }

    private Choice byCircumstances() {
        if (catalog.names().isEmpty()) {
            throw catalog.failure("FBR-101 No backend on the class path. Add one of: "
                    + catalog.known().listed(catalog.kind()) + ".");
        }
        Optional<BackendProvider> only = catalog.only();
        if (only.isPresent()) {
            return new Choice(only.get(), ONLY_ONE, "there is no other");
        }
        SortedMap<String, String> inside = new TreeMap<>();
        for (BackendProvider provider : catalog.providers()) {
            if (probe(provider, environment) instanceof Probe.Inside platform) {
                inside.put(provider.name(), platform.evidence());
            }
        }
        if (inside.size() > 1) {
            throw catalog.failure("FBR-104 Running inside several platforms: "
                    + inside.entrySet().stream()
                            .map(platform -> platform.getKey() + " (" + platform.getValue() + ")")
                            .collect(Collectors.joining(", "))
                    + ". Choose one: " + catalog.kind().howToChoose() + ".");
        }
        if (inside.isEmpty()) {
            return byDefault();
        }
        String name = inside.firstKey();
        return new Choice(
                catalog.find(name).orElseThrow(),
                "this process runs inside it: " + inside.get(name),
                "this process runs inside it");
    }

    private Choice byDefault() {
        String name = catalog.known().defaultName(catalog.kind()).orElseThrow();
        BackendProvider provider = catalog.find(name)
                .orElseThrow(() -> catalog.failure("FBR-109 Several backends are on the class path, " + catalog.names()
                        + ", and Fiber cannot choose between them: the setting 'backend' is not set, this process"
                        + " runs on none of their platforms, and the default '" + name + "' is missing (it is in "
                        + catalog.known().artifacts(catalog.kind()).get(name) + "). Choose one: "
                        + catalog.kind().howToChoose() + "."));
        return new Choice(
                provider, "the default, since this process runs inside no other's platform", "it is the default");
    }

    private Selected<BackendProvider> usable(Choice choice, Environment surroundings) {
        if (probe(choice.provider(), surroundings) instanceof Probe.Unusable unusable) {
            throw catalog.failure("FBR-105 Backend '" + choice.provider().name() + "' (" + choice.reason()
                    + ") cannot be used: " + sentence(unusable.reason()) + " Nothing else was tried, because "
                    + choice.whyNothingElse()
                    + ".");
        }
        log(choice);
        return new Selected<>(choice.provider(), choice.reason());
    }

    private static String sentence(String reason) {
        return reason.endsWith(".") ? reason : reason + ".";
    }

    private static Probe probe(BackendProvider provider, Environment surroundings) {
        try {
            return provider.probe(surroundings);
        } catch (RuntimeException | LinkageError e) {
            return new Probe.Unusable("its probe failed with " + e);
        }
    }

    private void log(Choice choice) {
        Logger logger = Logs.of(BackendSelection.class);
        Level level = catalog.broken().isEmpty() ? Level.DEBUG : Level.WARNING;
        if (logger.isLoggable(level)) {
            logger.log(level, logLine(choice));
        }
    }

    private String logLine(Choice choice) {
        String version = Location.version(choice.provider().getClass())
                .map(text -> " " + text)
                .orElse("");
        Set<String> others = catalog.names();
        others.remove(choice.provider().name());
        String also = others.isEmpty() ? "" : " Also on the class path: " + others + ".";
        return "Backend '" + choice.provider().name() + "'" + version + " (" + choice.reason() + ")." + also
                + catalog.brokenText();
    }
}
