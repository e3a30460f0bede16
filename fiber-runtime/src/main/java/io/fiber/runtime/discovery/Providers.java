// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import io.fiber.FiberException;
import io.fiber.runtime.config.FiberConfig;
import io.fiber.runtime.config.KnownKeys;
import io.fiber.runtime.config.Setting;
import io.fiber.spi.Provider;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.serializer.SerializerProvider;
import io.fiber.spi.transport.TransportProvider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All providers that a session can choose from, found once. The settings are read next, because providers declare some
 * of them. The selection comes last, because the settings decide it. Immutable and thread-safe.
 */
public record Providers(
        ProviderCatalog<BackendProvider> backends,
        ProviderCatalog<TransportProvider> transports,
        ProviderCatalog<SerializerProvider> serializers) {

    /**
     * Returns the providers that the context class loader of this thread sees, and then those that Fiber's own class
     * loader sees.
     */
    public static Providers discover() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        ClassLoader own = Providers.class.getClassLoader();
        return discover(context == null || context == own ? List.of(own) : List.of(context, own));
    }

    /** Returns the providers that these class loaders see, in their order. */
    public static Providers discover(Collection<ClassLoader> loaders) {
        KnownProviders known = KnownProviders.load();
        return new Providers(
                ProviderCatalog.load(ProviderKind.BACKEND, known, loaders),
                ProviderCatalog.load(ProviderKind.TRANSPORT, known, loaders),
                ProviderCatalog.load(ProviderKind.SERIALIZER, known, loaders));
    }

    /** Returns the keys that these providers and those from the program declare, to check settings against. */
    public KnownKeys keys(Collection<? extends Provider> given) {
        List<Provider> all = new ArrayList<>(given);
        all.addAll(backends.providers());
        all.addAll(transports.providers());
        all.addAll(serializers.providers());
        return KnownKeys.of(all, backends.known().names());
    }

    /** Selects the transport: the one that is set, otherwise the only one, otherwise the preferred one. */
    public Selected<TransportProvider> selectTransport(FiberConfig config) {
        ProviderKind<TransportProvider> kind = ProviderKind.TRANSPORT;
        transports.refuseFaults();
        Optional<Setting> choice = config.setting(kind.key());
        if (choice.isPresent()) {
            return new Selected<>(
                    transports.require(choice.get()), "from " + choice.get().origin());
        }
        Optional<TransportProvider> only = transports.only();
        if (only.isPresent()) {
            return new Selected<>(only.get(), BackendSelection.ONLY_ONE);
        }
        Optional<TransportProvider> preferred =
                transports.known().defaultName(kind).flatMap(transports::find);
        if (preferred.isPresent()) {
            return new Selected<>(preferred.get(), "preferred to the others on the class path");
        }
        throw transports.failure(
                transports.names().isEmpty()
                        ? "FBR-111 No transport on the class path. Add one of: "
                                + transports.known().listed(kind) + "."
                        : "FBR-113 Several transports are on the class path: " + transports.names() + ". Choose one: "
                                + kind.howToChoose() + ".");
    }

    /**
     * Returns the transport by which a program reaches another one whose host and port it knows.
     *
     * @param preferred the name of the transport to use if it can listen that way
     * @throws io.fiber.FiberException FBR-449 if none can
     */
    public TransportProvider listeningTransport(Optional<String> preferred) {
        return Stream.concat(preferred.flatMap(transports::find).stream(), transports.providers().stream())
                .filter(provider -> provider.listeningAddress("localhost", 1).isPresent())
                .findFirst()
                .orElseThrow(() -> new FiberException(
                        "FBR-449",
                        "No transport on the class path lets programs connect by host and port: " + transports.names()
                                + ". The artifact of each backend brings such a transport. Check that it was not"
                                + " excluded."));
    }

    public Optional<SerializerProvider> serializer(String name) {
        return serializers.find(name);
    }

    /** Selects the serializer: the one that is set, otherwise the built-in one. */
    public Selected<SerializerProvider> selectSerializer(FiberConfig config) {
        ProviderKind<SerializerProvider> kind = ProviderKind.SERIALIZER;
        Setting choice = config.setting(kind.key())
                .orElseGet(() ->
                        Setting.ofDefault(serializers.known().defaultName(kind).orElseThrow()));
        return new Selected<>(serializers.require(choice), "from " + choice.origin());
    }
}
