// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.config;

import io.fiber.spi.OptionKey;
import io.fiber.spi.OptionKey.Scope;
import io.fiber.spi.OptionKey.Visibility;
import io.fiber.spi.OptionType;
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
 * The keys that may be set: Fiber's own, those that present providers declare, and all keys of known but absent
 * providers, because one file may serve several programs. Immutable.
 */
public final class KnownKeys {

    private final Map<String, Declared> declared;
    private final Map<String, List<String>> optionNames;
    private final Set<String> absent;
    private final Map<String, String> byVariable;

    /** A key that Fiber or a present provider declares; {@code form} is for Fiber's own keys. */
    record Declared(
            Optional<ValueForm> form, OptionType type, Visibility visibility, Scope scope, boolean isOfBackend) {

        boolean isOwn() {
            return form.isPresent();
        }

        boolean accepts(String text) {
            return form.isPresent() ? form.get().accepts(text) : type.accepts(text);
        }

        String expectation() {
            return form.isPresent() ? form.get().expectation() : type.expectation();
        }
    }

    private KnownKeys(Map<String, Declared> declared, Map<String, List<String>> optionNames, Set<String> absent) {
        this.declared = declared;
        this.optionNames = optionNames;
        this.absent = absent;
        this.byVariable = new LinkedHashMap<>();
        for (String name : declared.keySet()) {
            byVariable.putIfAbsent(ConfigKey.variableOf(name), name);
        }
    }

    /**
     * Returns Fiber's own keys and those of these providers, of any kind. If two providers have the same name they
     * share their keys, and the first one defines them.
     *
     * @param knownNames names of providers that exist, present or not
     */
    public static KnownKeys of(Collection<? extends Provider> present, Set<String> knownNames) {
        Map<String, Declared> declared = new LinkedHashMap<>();
        for (ConfigKey key : ConfigKey.values()) {
            ValueForm form = key.form();
            declared.put(
                    key.key(), new Declared(Optional.of(form), form.type(), key.visibility(), Scope.SESSION, false));
        }
        Map<String, List<String>> optionNames = new TreeMap<>();
        for (Provider provider : present) {
            optionNames.putIfAbsent(provider.name(), new ArrayList<>());
            List<String> names = optionNames.get(provider.name());
            for (OptionKey key : provider.options()) {
                names.add(key.name());
                declared.putIfAbsent(
                        provider.name() + "." + key.name(),
                        new Declared(
                                Optional.empty(),
                                key.type(),
                                key.visibility(),
                                key.scope(),
                                provider instanceof BackendProvider));
            }
        }
        Set<String> absent = new TreeSet<>(knownNames);
        absent.removeAll(optionNames.keySet());
        return new KnownKeys(declared, optionNames, absent);
    }

    /** Returns the declaration of {@code lease} or {@code slurm.partition}; empty if nothing present declares it. */
    Optional<Declared> declared(String name) {
        return Optional.ofNullable(declared.get(name));
    }

    Set<String> names() {
        return declared.keySet();
    }

    /** Returns the options of a present provider; empty if it has none or is absent. */
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
     * Returns the name that a variable stands for; for {@code FIBER_SLURM_TIME_LIMIT}, {@code slurm.time-limit}. Empty
     * if it is not a key of Fiber and contains no provider's name. The option need not exist.
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
