// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** The answer of a call of one item, handed to a thread that reads it and completes a future. */
final class SingleAnswer implements CallSink {

    /** Takes the one event of the call that tells something. */
    interface Taker {
        /** Called once, by a thread of the executor, or with an {@link Answers.Broken} by a conductor that ends. */
        void take(Answers.Event event);
    }

    private final Executor executor;
    private final Taker taker;
    private List<Answers.Block> earlier = List.of();

    SingleAnswer(Executor executor, Taker taker) {
        this.executor = executor;
        this.taker = taker;
    }

    @Override
    public void onTries(long index, List<Answers.Block> failures) {
        earlier = failures;
    }

    @Override
    public void onResults(long firstIndex, int count, SealedPayload results) {
        answer(firstIndex, new Answers.Block(firstIndex, count, results));
    }

    @Override
    public void onFailures(long firstIndex, int count, SealedPayload results, String worker) {
        answer(firstIndex, new Answers.Block(firstIndex, count, results, Optional.of(worker)));
    }

    @Override
    public void onLost(long index, int attempts, Loss loss) {
        answer(index, new Answers.Lost(index, attempts, loss));
    }

    @Override
    public void onOverdue(long index, String worker) {
        answer(index, new Answers.Overdue(index, worker));
    }

    @Override
    public void onEnd(long items) {
        // The item's own event went before.
    }

    @Override
    public void onBroken(FiberException cause) {
        hand(new Answers.Broken(cause));
    }

    @Override
    public boolean hasRoom() {
        return true;
    }

    private void answer(long index, Answers.Event event) {
        hand(earlier.isEmpty() ? event : new Answers.Tried(index, event, earlier));
    }

    private void hand(Answers.Event event) {
        try {
            executor.execute(() -> taker.take(event));
        } catch (RejectedExecutionException e) {
            // The session has ended, and no caller waits.
        } catch (VirtualMachineError e) {
            taker.take(new Answers.Broken(new FiberException(
                    "FBR-404", "The answer of a call could not be handed to a thread that reads it: " + e, e)));
            throw e;
        }
    }
}
