// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.session;

import org.jspecify.annotations.Nullable;

/** What builders check alike. */
final class Choice {

    private Choice() {}

    /**
     * Returns the value of a choice that was not made before.
     *
     * @throws IllegalStateException (FBR-306) when it was
     */
    static <T> T once(String what, @Nullable Object before, T now) {
        if (before != null) {
            throw new IllegalStateException(
                    "FBR-306 " + what + " was already set to " + before + "; it can be set once.");
        }
        return now;
    }
}
