// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

/**
 * What a user with sufficient rights must create on the platform once so that jobs can submit jobs; on Kubernetes, a
 * service account and its role.
 */
public interface PlatformSetup {

    /** Returns the setup in the format of the platform's own tools. Does not contact the platform. */
    String text();

    /**
     * Creates or updates the setup. Waits for the platform.
     *
     * @return what exists now, as a sentence
     * @throws BackendException if the platform does not answer, or rejects the request
     */
    String apply();
}
