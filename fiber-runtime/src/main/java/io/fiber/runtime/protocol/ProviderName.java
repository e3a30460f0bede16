// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.protocol;

import io.fiber.spi.Provider;

/**
 * Names a provider of the master so that a worker can find it.
 *
 * @param name its name, which the services of the class path are asked for
 * @param className its class, which is found sooner
 */
public record ProviderName(String name, String className) {

    public static ProviderName of(Provider provider) {
        return new ProviderName(provider.name(), provider.getClass().getName());
    }
}
