// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.CallSink;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/** The answer of a call of one item, handed to a thread that reads it and completes a future. */
final class SingleAnswer implements CallSink {

    private final Executor executor;
    private final Consumer<Answer> taker;

    /**
     * Creates a sink whose {@code taker} takes the one event that tells something, in a thread of the executor; an
     * {@link Answer.Broken} also in that of a conductor which ends.
     */
    SingleAnswer(Executor executor, Consumer<Answer> taker) {
        this.executor = executor;
        this.taker = taker;
    }

    @Override
    public void onAnswer(Answer answer) {
        try {
            executor.execute(() -> taker.accept(answer));
        } catch (RejectedExecutionException e) {
            // The session has ended, and no caller waits.
        } catch (VirtualMachineError | LinkageError e) {
            // Where memory is short, a class may not be initialized, and never will be.
            taker.accept(new Answer.Broken(new FiberException(
                    "FBR-404", "The result of a call could not be passed to a thread that reads it: " + e, e)));
            throw e;
        }
    }

    @Override
    public void onEnd(long items) {
        // The item's own event went before.
    }

    @Override
    public void onBroken(FiberException cause) {
        onAnswer(new Answer.Broken(cause));
    }

    @Override
    public boolean hasRoom() {
        return true;
    }
}
