// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.broken;

import io.fiber.tck.backend.BackendFixture;
import io.fiber.tck.backend.BackendTck;

/** The kit of backends as {@link BrokenBackendTest} runs it, once for each bug. */
final class BuggyBackendKit extends BackendTck {
    @Override
    protected BackendFixture createFixture() {
        return new BrokenFixture(Selection.bug(BackendBug.class));
    }
}
