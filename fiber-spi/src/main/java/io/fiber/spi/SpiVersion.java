// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

/** The version of this SPI. It is raised when a provider compiled against an older version could no longer run. */
public final class SpiVersion {

    /** The version in which this class was compiled. */
    public static final int CURRENT = 1;

    private SpiVersion() {}

    /** Returns whether a provider written for {@code version} runs with this SPI. */
    public static boolean isSupported(int version) {
        return version >= 1 && version <= CURRENT;
    }
}
