// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.FiberException;
import java.io.IOException;

/** Thrown if the other half is gone or has given up, possibly after sending the reason. */
final class LineCut extends IOException {
    private static final long serialVersionUID = 1L;

    LineCut(String message) {
        super(message);
    }

    LineCut(FiberException cause) {
        super(cause.getMessage(), cause);
    }
}
