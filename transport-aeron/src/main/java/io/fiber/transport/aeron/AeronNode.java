// SPDX-License-Identifier: Apache-2.0
package io.fiber.transport.aeron;

import io.aeron.Aeron;
import org.jspecify.annotations.Nullable;

/** A client and the driver it uses: this process's own, or one of another process of this host. */
sealed interface AeronNode permits OwnDriver, ForeignDriver {

    Aeron client();

    /** Does what is due. */
    int invoke();

    /** Returns why nothing works any more, or null while it does. */
    @Nullable
    String failure();

    /** Tells whether the driver ended as planned by its owner. */
    boolean hasEndedInOrder();

    /** Frees everything; no link may use a log any more. */
    void close();
}
