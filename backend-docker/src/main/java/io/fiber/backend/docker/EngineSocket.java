// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.spi.backend.BackendException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The socket of the engine, for containers whose program creates containers.
 *
 * @param path its path on this host, which is Docker's
 * @param group numeric id of the group that may use it
 */
record EngineSocket(String path, int group) {

    /** Where containers have it, and clients look for it first. */
    static final String PLACE = "/var/run/docker.sock";

    private static final String SCHEME = "unix://";

    /**
     * Returns the socket of an engine.
     *
     * @throws BackendException FBR-168 if it has none on this host
     */
    static EngineSocket of(Engine engine) {
        String url = engine.url();
        try {
            if (url.startsWith(SCHEME)
                    && Files.getAttribute(Path.of(url.substring(SCHEME.length())), "unix:gid")
                            instanceof Integer group) {
                return new EngineSocket(url.substring(SCHEME.length()), group);
            }
            throw notHere(url, null);
        } catch (IOException | UnsupportedOperationException e) {
            throw notHere(url, e);
        }
    }

    private static BackendException notHere(String url, @Nullable Exception cause) {
        return new BackendException(
                "FBR-168 Option 'fiber.docker.jobs-submit' is 'true' and Docker is at '" + url
                        + "'; expected a socket of this host, unix://" + PLACE + ", which a container can be given.",
                cause);
    }
}
