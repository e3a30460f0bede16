// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.platform;

import io.fiber.FiberException;
import io.fiber.spi.backend.BackendException;
import java.util.function.Supplier;

/** What a program's call throws if its platform failed. */
public final class BackendFailure {
    private static final String OWN = "FBR-";
    private static final String GENERAL = "FBR-139";

    private BackendFailure() {}

    /** Returns what the backend answers. */
    public static <T> T call(Supplier<T> question) {
        try {
            return question.get();
        } catch (BackendException e) {
            throw of(e);
        }
    }

    /** Returns an exception with the message of the cause. If the code is not Fiber's, FBR-139 is put in front. */
    public static FiberException of(BackendException cause) {
        String message = String.valueOf(cause.getMessage());
        return new FiberException(cause.code().startsWith(OWN) ? message : GENERAL + " " + message, cause);
    }
}
