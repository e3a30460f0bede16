// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;

/** The contract of a backend on a real engine. {@link DockerEngineTest} runs it beside its containers. */
class DockerKit extends BackendTck {

    @Override
    protected BackendFixture createFixture() {
        return new DockerFixture();
    }
}
