// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.platform.ProcessUsage;
import io.fiber.runtime.process.WorkerTitle;
import java.util.Optional;

/** Workers of which no more is known than their numbers. */
public interface NumberedWorkers extends PoolEffects {

    @Override
    default WorkerTitle title(int worker) {
        return new WorkerTitle(String.valueOf(worker));
    }

    @Override
    default Optional<String> waitsFor(int worker) {
        return Optional.empty();
    }

    @Override
    default void released(Chunk chunk) {}

    @Override
    default void lost(Chunk chunk) {}

    @Override
    default void lost(Loss loss, long itemsAgain, long itemsFailed, long nowNs) {}

    @Override
    default Optional<ProcessUsage> measure(int worker) {
        return Optional.empty();
    }
}
