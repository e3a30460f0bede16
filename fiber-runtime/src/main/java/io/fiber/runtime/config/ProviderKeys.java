// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import io.fiber.spi.OptionKey;
import io.fiber.spi.Provider;
import io.fiber.spi.backend.BackendProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The keys that belong to providers: those that present providers declare, and all keys of providers that are known but
 * absent, since a file may serve several programs. Immutable.
 */
public final class ProviderKeys {

    private final Map<String, Declared> declared;
    private final Map<String, List<String>> optionNames;
    private final Set<String> absent;
    private final Map<String, String> byVariable;

    /** A key that a present provider declares. */
    record Declared(OptionKey key, boolean isOfBackend) {}

    private ProviderKeys(Map<String, Declared> declared, Map<String, List<String>> optionNames, Set<String> absent) {
        this.declared = declared;
        this.optionNames = optionNames;
        this.absent = absent;
        this.byVariable = new LinkedHashMap<>();
        for (String name : declared.keySet()) {
            byVariable.put(ConfigKey.variableOf(name), name);
        }
    }

    /**
     * Returns the keys of these providers, of whatever kinds; two of one name share their keys.
     *
     * @param knownNames names of providers that exist, present or not
     */
    public static ProviderKeys of(Collection<? extends Provider> present, Set<String> knownNames) {
        Map<String, Declared> declared = new TreeMap<>();
        Map<String, List<String>> optionNames = new TreeMap<>();
        for (Provider provider : present) {
            optionNames.putIfAbsent(provider.name(), new ArrayList<>());
            List<String> names = optionNames.get(provider.name());
            for (OptionKey key : provider.options()) {
                names.add(key.name());
                declared.put(
                        provider.name() + "." + key.name(), new Declared(key, provider instanceof BackendProvider));
            }
        }
        Set<String> absent = new TreeSet<>(knownNames);
        absent.removeAll(optionNames.keySet());
        return new ProviderKeys(declared, optionNames, absent);
    }

    /** Returns the declaration of {@code slurm.partition}, empty when no present provider declares it. */
    Optional<Declared> declared(String name) {
        return Optional.ofNullable(declared.get(name));
    }

    /** Returns the names of all declared keys, as {@code slurm.partition}. */
    Set<String> names() {
        return declared.keySet();
    }

    /** Returns the options of a present provider, empty when it has none or is absent. */
    List<String> optionNames(String provider) {
        return optionNames.getOrDefault(provider, List.of());
    }

    boolean isPresent(String provider) {
        return optionNames.containsKey(provider);
    }

    boolean isKnownAbsent(String provider) {
        return absent.contains(provider);
    }

    /**
     * Returns the name that a variable stands for: of {@code FIBER_SLURM_TIME_LIMIT} it is {@code slurm.time-limit};
     * empty when no provider's name is in it. The option need not exist.
     */
    Optional<String> nameOf(String variable) {
        String exact = byVariable.get(variable);
        if (exact != null) {
            return Optional.of(exact);
        }
        Optional<String> present = longestPrefix(variable, optionNames.keySet());
        return present.isPresent() ? present : longestPrefix(variable, absent);
    }

    private static Optional<String> longestPrefix(String variable, Set<String> providers) {
        String longest = "";
        for (String provider : providers) {
            if (provider.length() > longest.length()
                    && variable.startsWith(ConfigKey.variableOf(provider) + "_")
                    && variable.length() > ConfigKey.variableOf(provider).length() + 1) {
                longest = provider;
            }
        }
        if (longest.isEmpty()) {
            return Optional.empty();
        }
        String option = variable.substring(ConfigKey.variableOf(longest).length() + 1);
        return Optional.of(longest + "." + option.toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
