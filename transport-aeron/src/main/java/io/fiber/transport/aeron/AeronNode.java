// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import org.jspecify.annotations.Nullable;

/** A client and the driver that it uses: this process's own driver, or one of another process on this host. */
sealed interface AeronNode permits OwnDriver, ForeignDriver {

    Aeron client();

    /** Returns why nothing works any more; null while it works. */
    @Nullable
    String failure();
}
