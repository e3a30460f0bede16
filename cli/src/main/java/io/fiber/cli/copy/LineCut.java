// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.copy;

import io.fiber.FiberException;
import java.io.IOException;

/** The other half is gone, or has given up: it may have left word why. */
final class LineCut extends IOException {
    private static final long serialVersionUID = 1L;

    LineCut(String message) {
        super(message);
    }

    LineCut(FiberException cause) {
        super(cause.getMessage(), cause);
    }
}
