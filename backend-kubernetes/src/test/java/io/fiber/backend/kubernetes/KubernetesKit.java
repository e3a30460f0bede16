// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;

/** The contract of a backend on a real cluster. {@link KubernetesClusterTest} runs it beside its pods, or in one. */
class KubernetesKit extends BackendTck {

    @Override
    protected BackendFixture createFixture() {
        return new KubernetesFixture();
    }
}
