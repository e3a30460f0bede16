// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import org.jspecify.annotations.Nullable;

/** A client and the driver it uses: this process's own, or one of another process of this host. */
sealed interface AeronNode permits OwnDriver, ForeignDriver {

    Aeron client();

    /** Returns why nothing works any more, or null while it does. */
    @Nullable
    String failure();
}
