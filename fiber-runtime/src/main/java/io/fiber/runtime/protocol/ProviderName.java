// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.spi.Provider;

/**
 * Names a provider of the master so that a worker can find it.
 *
 * @param name name of the provider, by which services on the class path are searched
 * @param className class of the provider, which is found faster
 */
public record ProviderName(String name, String className) {

    public static ProviderName of(Provider provider) {
        return new ProviderName(provider.name(), provider.getClass().getName());
    }
}
