// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;

/** The contract of a backend, kept by this one. */
class LocalBackendTckTest extends BackendTck {
    @Override
    protected BackendFixture createFixture() {
        return new LocalFixture();
    }
}
