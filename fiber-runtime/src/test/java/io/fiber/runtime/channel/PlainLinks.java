// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.channel;

import io.fiber.spi.transport.Link;
import java.util.Optional;

/** Makes direct links whose ends need not prove themselves. */
public final class PlainLinks {

    private PlainLinks() {}

    public static DirectLink of(Link link) {
        return new DirectLink(link, Optional.empty(), () -> {});
    }
}
