// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;

/** Opens sessions, and knows the session of a worker. */
@SuppressWarnings("DoNotCallSuggester")
public final class Sessions {

    private Sessions() {}

    /** Opens a session. */
    public static Fiber open(FiberBuilder.Settings settings) {
        throw new UnsupportedOperationException("The runtime is not here yet; settings were " + settings);
    }

    /** Returns the session of the worker that runs in this process. */
    public static Fiber current() {
        throw new UnsupportedOperationException("The runtime is not here yet.");
    }
}
