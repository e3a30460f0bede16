// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.gridengine;

import io.fiber.FiberBuilder;
import io.fiber.tck.session.ObjectsTck;

/** Queues, pipes, managers and rings between jobs. {@link GridEngineClusterTest} runs it. */
class GridEngineObjectsKit extends ObjectsTck {

    @Override
    protected FiberBuilder session() {
        return KitFiber.builder();
    }
}
