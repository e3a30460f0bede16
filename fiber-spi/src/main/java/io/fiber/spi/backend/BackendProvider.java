// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.Probe;
import io.fiber.spi.Provider;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out whether a cluster can be used, and opens it. Register it in {@code
 * META-INF/services/io.fiber.spi.backend.BackendProvider}, and with {@code provides} in a module.
 */
public interface BackendProvider extends Provider {

    /**
     * Returns whether this process runs inside the platform, whether the platform can be used from here, and why not.
     * The backend's own options, wherever they were set, are properties of the environment: {@code fiber.<name>.<key>}.
     *
     * @implSpec Returns within a second. Starts nothing, changes nothing and contacts no other host; the evidence is
     *     variables, files and which programs are installed. Never throws. (BKD-102)
     */
    Probe probe(Environment environment);

    /**
     * Opens the platform for one session.
     *
     * @throws BackendUnavailableException if the platform does not answer now but may answer later
     * @throws BackendException if it can never work as configured; the message says what to do
     */
    Backend create(BackendContext context);

    /**
     * Returns what a user with sufficient rights must create on the platform once so that jobs can submit jobs; on
     * Kubernetes, a service account and its role. Empty, the default, if nothing is needed. Contacts no other host.
     *
     * @param options the backend's own options, already checked
     * @throws BackendException if an option has a wrong value
     */
    default Optional<PlatformSetup> setup(Options options, Environment environment) {
        return Optional.empty();
    }

    /**
     * Returns what the backends of this provider can do beyond what every backend must do.
     *
     * @implSpec None by default. The compatibility kit tests what is declared. It also tests that what is not declared
     *     is rejected as {@link Capability} documents. (BKD-103)
     */
    default Set<Capability> capabilities() {
        return Set.of();
    }
}
