// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.RemoteTaskException;
import io.fiber.SerializationException;
import io.fiber.TaskTimeoutException;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.ResultMark;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.Subject;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads results where they are consumed. Thread-safe. */
final class ResultReader {

    private static final Subject RESULT = new Subject("the result", "task");

    private final Codecs codecs;
    private final Seals seals;

    ResultReader(Codecs codecs, Seals seals) {
        this.codecs = codecs;
        this.seals = seals;
    }

    /** Returns a stream over the results of a block. */
    PayloadInput open(Answers.Block block) {
        try {
            return seals.open(block.results()).open();
        } catch (SealException e) {
            throw new SerializationException(
                    "FBR-206", "The results from item " + block.firstIndex() + " on are damaged: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the next result.
     *
     * @throws RemoteTaskException when the task threw
     * @throws TaskTimeoutException when the task ran longer than its deadline
     * @throws SerializationException when the result cannot be read here
     */
    @Nullable
    Object read(PayloadInput in, long index) {
        try {
            int mark = in.readByte();
            if (mark == ResultMark.VALUE) {
                return codecs.values().read(in, RESULT, index);
            }
            if (mark == ResultMark.OVERDUE) {
                throw TaskTimeoutException.interrupted("Task " + index);
            }
        } catch (IOException e) {
            throw new SerializationException("FBR-206", "The result of task " + index + " is cut off.", e);
        }
        throw failure("Task " + index, codecs.failures().read(in));
    }

    /** Returns a failure of another process as an exception of this one. */
    static FiberException failure(String where, RemoteTaskException.Remote failure) {
        return new RemoteTaskException(where, failure);
    }

    /** Returns what is thrown for an item that has no result. */
    FiberException refused(Answers.Refused refused) {
        String task = "Task " + refused.index();
        if (refused instanceof Answers.Lost lost) {
            return lost.loss().of(task, lost.attempts());
        }
        if (refused instanceof Answers.Tried tried) {
            return triedInVain(tried);
        }
        Answers.Overdue overdue = (Answers.Overdue) refused;
        return TaskTimeoutException.ended(task, overdue.worker());
    }

    private FiberException triedInVain(Answers.Tried tried) {
        FiberException last = tried.last() instanceof Answers.Refused refused
                ? refused(refused)
                : thrown((Answers.Block) tried.last());
        for (SealedPayload failure : tried.earlier()) {
            last.addSuppressed(thrown(new Answers.Block(tried.index(), 1, failure)));
        }
        return last;
    }

    /** Returns the failure that a block of one item holds. */
    private FiberException thrown(Answers.Block block) {
        try {
            Object result = read(open(block), block.firstIndex());
            return new SerializationException(
                    "FBR-206", "Task " + block.firstIndex() + " has failed, and its failure is a " + result + ".");
        } catch (FiberException e) {
            return e;
        }
    }
}
