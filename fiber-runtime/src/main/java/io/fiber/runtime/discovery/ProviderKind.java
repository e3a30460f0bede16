// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.discovery;

import io.fiber.runtime.config.ConfigKey;
import io.fiber.spi.Provider;
import io.fiber.spi.backend.BackendProvider;
import io.fiber.spi.serializer.SerializerProvider;
import io.fiber.spi.transport.TransportProvider;

/**
 * One of the three kinds of providers, with the words and codes for errors about it. Immutable.
 *
 * @param noun the word for it, which begins its keys in the resource file
 * @param unknownCode the code of the error that the chosen provider is missing
 */
record ProviderKind<P extends Provider>(Class<P> type, String noun, ConfigKey key, String unknownCode) {

    static final ProviderKind<BackendProvider> BACKEND =
            new ProviderKind<>(BackendProvider.class, "backend", ConfigKey.BACKEND, "FBR-102");
    static final ProviderKind<TransportProvider> TRANSPORT =
            new ProviderKind<>(TransportProvider.class, "transport", ConfigKey.TRANSPORT, "FBR-112");
    static final ProviderKind<SerializerProvider> SERIALIZER =
            new ProviderKind<>(SerializerProvider.class, "serializer", ConfigKey.SERIALIZER, "FBR-115");

    /** Returns how to choose one, in words that fit after "Choose one: ". */
    String howToChoose() {
        return key.variable() + "=… or Fiber.builder()." + noun + "(\"…\")";
    }
}
