// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.shared;

import io.fiber.JoinableQueue;
import io.fiber.runtime.shared.host.Kind;
import io.fiber.runtime.shared.machines.Operation;
import io.fiber.runtime.shared.machines.Outcome;
import java.time.Duration;

/** A managed queue that keeps account, as a program holds it. Thread-safe. */
final class JoinableQueueProxy<E> extends QueueProxy<E> implements JoinableQueue<E> {
    private static final long serialVersionUID = 1L;

    JoinableQueueProxy(RemoteObject remote) {
        super(remote, Kind.JOINABLE_QUEUE);
    }

    @Override
    public void taskDone() {
        if (now(Operation.TASK_DONE, 0).outcome() == Outcome.NOTHING_TAKEN) {
            throw new IllegalStateException("FBR-434 taskDone() of " + this
                    + " was called more often than this process has taken items. Call it once for each item.");
        }
    }

    @Override
    public void join() {
        call(Operation.JOIN, 0);
    }

    @Override
    public boolean join(Duration timeout) {
        return call(Operation.JOIN, 0, timeout).isPresent();
    }
}
