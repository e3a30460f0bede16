// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.spi.Provider;

/**
 * How a worker finds a provider that its master uses.
 *
 * @param name its name, which the services of the class path are asked for
 * @param className its class, which is found sooner
 */
public record ProviderName(String name, String className) {

    public static ProviderName of(Provider provider) {
        return new ProviderName(provider.name(), provider.getClass().getName());
    }
}
