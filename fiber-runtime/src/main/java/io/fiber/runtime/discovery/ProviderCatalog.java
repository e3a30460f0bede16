// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import static java.util.Objects.requireNonNull;

import io.fiber.ConfigurationException;
import io.fiber.runtime.config.Origin;
import io.fiber.runtime.config.Setting;
import io.fiber.runtime.config.Spelling;
import io.fiber.spi.Provider;
import io.fiber.spi.SpiVersion;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The providers of one kind that were found, by name. Each is loaded separately: if one cannot be loaded, the others
 * are still found, and every error about them names it. Faults that must never be ignored, such as two providers with
 * the same name, are reported when a provider is requested. Immutable and thread-safe.
 */
public final class ProviderCatalog<P extends Provider> {

    /** Limits how often loading is tried again: a services file that cannot be read would fail forever. */
    private static final int MOST_BROKEN = 100;

    private final ProviderKind<P> kind;
    private final KnownProviders known;
    private final SortedMap<String, P> providers = new TreeMap<>();
    private final List<String> broken = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();
    private @Nullable Throwable firstCause;

    private ProviderCatalog(ProviderKind<P> kind, KnownProviders known) {
        this.kind = kind;
        this.known = known;
    }

    /**
     * Returns the providers that these class loaders see, in the order of the loaders. A class that two loaders see
     * counts once.
     */
    static <P extends Provider> ProviderCatalog<P> load(
            ProviderKind<P> kind, KnownProviders known, Collection<ClassLoader> loaders) {
        ProviderCatalog<P> catalog = new ProviderCatalog<>(kind, known);
        Set<Class<?>> seen = new LinkedHashSet<>();
        for (ClassLoader loader : loaders) {
            Iterator<ServiceLoader.Provider<P>> found =
                    ServiceLoader.load(kind.type(), loader).stream().iterator();
            while (catalog.broken.size() < MOST_BROKEN && catalog.addNext(found, seen)) {}
        }
        return catalog;
    }

    public Collection<P> providers() {
        return List.copyOf(providers.values());
    }

    /** Returns their names, in alphabetical order. */
    public Set<String> names() {
        return new TreeSet<>(providers.keySet());
    }

    /** Returns descriptions of what could not be loaded: class, jar and reason. */
    public List<String> broken() {
        return List.copyOf(broken);
    }

    ProviderKind<P> kind() {
        return kind;
    }

    KnownProviders known() {
        return known;
    }

    Optional<P> find(String name) {
        return Optional.ofNullable(providers.get(name));
    }

    /** Returns the only provider; empty if there is none or more than one. */
    Optional<P> only() {
        return providers.size() == 1 ? Optional.of(providers.values().iterator().next()) : Optional.empty();
    }

    /** Returns the provider that was chosen by name; throws with the kind's code if it is missing. */
    P require(Setting choice) {
        refuseFaults();
        P provider = providers.get(choice.value());
        if (provider == null) {
            throw new ConfigurationException(unknown(choice.value(), choice.origin()), firstCause);
        }
        return provider;
    }

    /** Throws if the class path is contradictory: FBR-103, FBR-108, FBR-114. */
    void refuseFaults() {
        if (!faults.isEmpty()) {
            throw new ConfigurationException(String.join("\n", faults));
        }
    }

    ConfigurationException failure(String message) {
        return new ConfigurationException(message + brokenText(), firstCause);
    }

    private boolean addNext(Iterator<ServiceLoader.Provider<P>> found, Set<Class<?>> seen) {
        try {
            if (!found.hasNext()) {
                return false;
            }
            ServiceLoader.Provider<P> next = found.next();
            if (seen.add(next.type())) {
                add(next.get(), next.type());
            }
        } catch (ServiceConfigurationError | LinkageError e) {
            addBroken(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        }
        return true;
    }

    private void add(P provider, Class<?> type) {
        String where = Location.describe(provider.getClass());
        String name;
        int version;
        try {
            name = provider.name();
            version = provider.spiVersion();
            requireNonNull(provider.options(), "options()");
        } catch (RuntimeException | LinkageError e) {
            addBroken(Location.describe(type) + " failed to return its name, version and options: " + e, e);
            return;
        }
        if (!SpiVersion.isSupported(version)) {
            faults.add("FBR-108 Provider " + where + " was built for SPI " + version + "; this is SPI "
                    + SpiVersion.CURRENT + ". Align the versions with fiber-bom.");
        } else if (!isName(name)) {
            faults.add("FBR-114 Provider " + where + " has the name '" + name
                    + "', which is not of the form [a-z][a-z0-9-]*. Correct its name() or remove it from the class"
                    + " path.");
        } else {
            P other = providers.putIfAbsent(name, provider);
            if (other != null) {
                faults.add("FBR-103 Two providers are named '" + name + "': " + Location.describe(other.getClass())
                        + " and " + where + ". Remove one from the class path.");
            }
        }
    }

    private void addBroken(String text, Throwable cause) {
        Throwable reason = cause.getCause();
        String whole = reason == null ? text : text + ": " + reason;
        if (!broken.contains(whole)) {
            broken.add(whole);
            firstCause = firstCause == null ? cause : firstCause;
        }
    }

    private String unknown(String name, Origin origin) {
        Map<String, String> artifacts = known.artifacts(kind);
        Set<String> candidates = new LinkedHashSet<>(providers.keySet());
        candidates.addAll(artifacts.keySet());
        Optional<String> meant = artifacts.containsKey(name) ? Optional.of(name) : Spelling.nearest(name, candidates);
        String hint = meant.map(near -> (near.equals(name) ? "" : " Did you mean '" + near + "'?")
                        + (providers.containsKey(near)
                                ? ""
                                : " It is in " + artifacts.get(near)
                                        + ", which is not on the class path, or whose META-INF/services a shaded jar"
                                        + " has lost."))
                .orElse("");
        return kind.unknownCode() + " Unknown " + kind.noun() + " '" + name + "' (from " + origin
                + "). On the class path: " + names() + "." + hint + brokenText();
    }

    /** Returns what could not be loaded, as a sentence to be appended; empty if there is nothing. */
    String brokenText() {
        return broken.isEmpty() ? "" : " Found, but could not be loaded: " + String.join("; ", broken) + ".";
    }

    private static boolean isName(@Nullable String name) {
        if (name == null || name.isEmpty() || name.charAt(0) < 'a' || name.charAt(0) > 'z') {
            return false;
        }
        for (int i = 1; i < name.length(); i++) {
            char c = name.charAt(i);
            if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-') {
                return false;
            }
        }
        return true;
    }
}
