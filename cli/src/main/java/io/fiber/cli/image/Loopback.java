// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.image;

import com.google.cloud.tools.jib.api.ImageReference;

/** Recognizes registries of this host, which may work without TLS. */
final class Loopback {

    private Loopback() {}

    /** Returns whether an image's registry is on this host, judged by its name only. */
    static boolean is(ImageReference reference) {
        String registry = reference.getRegistry();
        String host = registry.replaceFirst(":\\d+$", "");
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127\\.\\d+\\.\\d+\\.\\d+");
    }
}
