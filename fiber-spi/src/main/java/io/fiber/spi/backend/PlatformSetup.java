// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

/**
 * What a user with sufficient rights creates on the platform once (on Kubernetes, a service account and its role) so
 * that jobs can submit jobs.
 */
public interface PlatformSetup {

    /** Returns it as the platform's own tools take it. Asks the platform nothing. */
    String text();

    /**
     * Makes it, or brings it up to date. Waits for the platform.
     *
     * @return what there is now, as a sentence
     * @throws BackendException when the platform does not answer, or refuses
     */
    String apply();
}
