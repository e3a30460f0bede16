// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool.scheduling;

import io.fiber.runtime.protocol.SealedPayload;
import java.util.List;

/** A sink that is told of each kind of answer by a method of its own. */
public abstract class SinkByKind implements CallSink {

    @Override
    public void onAnswer(Answer answer) {
        tell(answer);
    }

    private void tell(Answer answer) {
        if (answer instanceof Answer.Tried tried) {
            onTries(tried.index(), tried.earlier());
            tell(tried.last());
        } else if (answer instanceof Answer.Block block) {
            onResults(block.firstIndex(), block.count(), block.results());
        } else if (answer instanceof Answer.Lost lost) {
            onLost(lost.index(), lost.attempts(), lost.loss());
        } else if (answer instanceof Answer.Overdue overdue) {
            onOverdue(overdue.index(), overdue.worker());
        } else {
            throw new AssertionError(answer);
        }
    }

    /** What an item threw before, right before it is answered for good. */
    protected void onTries(long index, List<Answer.Block> failures) {}

    protected abstract void onResults(long firstIndex, int count, SealedPayload results);

    protected abstract void onLost(long index, int attempts, Loss loss);

    protected abstract void onOverdue(long index, String worker);
}
