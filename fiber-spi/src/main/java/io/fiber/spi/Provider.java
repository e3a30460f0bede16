// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

import java.util.List;

/**
 * A named entry point that {@link java.util.ServiceLoader} finds.
 *
 * <p>A provider has a public constructor without parameters that does nothing. Fiber creates every provider to ask for
 * its name, even if it then selects another one.
 *
 * @implSpec Implementations are thread-safe and hold no state.
 */
public interface Provider {

    /**
     * Returns the name that selects this provider. Every call returns the same name.
     *
     * @implSpec Matches {@code [a-z][a-z0-9-]*} and is unique among the providers of its kind on the class path. Two
     *     providers with the same name are an error (FBR-103), never a choice.
     */
    String name();

    /**
     * Returns the version of this SPI for which the provider was written.
     *
     * @implSpec The default is 1, the first version, and stays 1 in every later SPI. A provider that uses anything
     *     newer returns {@link SpiVersion#CURRENT}, which the compiler copies into it. If the version is not supported,
     *     the provider is rejected with FBR-108.
     */
    default int spiVersion() {
        return 1;
    }

    /**
     * Returns the options that this provider understands; every other key under {@code fiber.<name>.} is an error
     * (FBR-107).
     *
     * @implSpec None by default.
     */
    default List<OptionKey> options() {
        return List.of();
    }
}
