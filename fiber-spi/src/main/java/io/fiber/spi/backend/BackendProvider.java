// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import io.fiber.spi.Environment;
import io.fiber.spi.Options;
import io.fiber.spi.Probe;
import io.fiber.spi.Provider;
import java.util.Optional;
import java.util.Set;

/**
 * Finds out whether a cluster can be used, and opens it. Registered in
 * {@code META-INF/services/io.fiber.spi.backend.BackendProvider}, and by {@code provides} in a module.
 */
public interface BackendProvider extends Provider {

    /**
     * Finds out whether this process runs inside the platform, whether the platform can be used from here, and if not
     * why. The backend's own options, wherever they were set, are properties of the environment: {@code fiber.<name>.<key>}.
     *
     * @implSpec Returns within a second, starts nothing, changes nothing and contacts no other host: variables, files
     *     and the presence of programs are the evidence. Never throws. (BKD-102)
     */
    Probe probe(Environment environment);

    /**
     * Opens the platform for one session.
     *
     * @throws BackendUnavailableException when the platform does not answer now but may later
     * @throws BackendException when it can never work as configured; the text says what to do
     */
    Backend create(BackendContext context);

    /**
     * Returns what a user with sufficient rights creates on the platform once (on Kubernetes, a service account and
     * its role) so that jobs can submit jobs. Empty, the default, when nothing is needed. Contacts no other host.
     *
     * @param options the backend's own, checked
     * @throws BackendException when an option has a wrong value
     */
    default Optional<PlatformSetup> setup(Options options, Environment environment) {
        return Optional.empty();
    }

    /**
     * Returns what backends of this provider can do beyond what every backend must.
     *
     * @implSpec The default is nothing. What is declared is tested; what is not declared is tested to be refused as
     *     {@link Capability} documents. (BKD-103)
     */
    default Set<Capability> capabilities() {
        return Set.of();
    }
}
