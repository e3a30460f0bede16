// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.RemoteTaskException;
import io.fiber.SerializationException;
import io.fiber.TaskTimeoutException;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.CallTitle;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.ResultMark;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.RemoteFailure;
import io.fiber.runtime.serialization.ValueName;
import io.fiber.runtime.telemetry.Telemetry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads the results of a call where they are consumed. Thread-safe. */
final class ResultReader {

    private static final ValueName RESULT = new ValueName("the result", "task");

    private final Codecs codecs;
    private final Seals seals;
    /** Whose results it reads. */
    final CallTitle call;

    ResultReader(Codecs codecs, Seals seals, CallTitle call) {
        this.codecs = codecs;
        this.seals = seals;
        this.call = call;
    }

    PayloadInput open(Answer.Block block) {
        try {
            return seals.open(block.results()).openForOwner();
        } catch (SealException e) {
            throw new SerializationException(
                    "FBR-206",
                    "The results of " + call + " from task " + block.firstIndex() + " on are damaged: "
                            + e.getMessage(),
                    e);
        }
    }

    /** Reads the next results of a block, {@code count} at most, as far as they are ints; returns how many. */
    int readInts(PayloadInput in, int[] target, int at, int count) {
        return codecs.values().readInts(in, target, at, count, RESULT);
    }

    /**
     * Reads the next result of a block.
     *
     * @throws RemoteTaskException when the task threw
     * @throws TaskTimeoutException when the task ran longer than its deadline
     * @throws SerializationException when the result cannot be read here
     */
    @Nullable
    Object read(PayloadInput in, Answer.Block block, long index) {
        if (in.peek() >= ResultMark.LEAST) {
            throw told(index, failure(in, call.task(index) + on(block)));
        }
        return codecs.values().read(in, RESULT, index);
    }

    /**
     * Reads what the results of a block were combined to; results of a journal are combined here.
     *
     * @throws io.fiber.FiberException as {@link #read} does
     */
    @Nullable
    Object readCombined(Answer.Block block, BinaryOperator<@Nullable Object> combiner) {
        PayloadInput in = open(block);
        long first = block.firstIndex();
        long last = first + block.count() - 1;
        if (in.peek() < ResultMark.LEAST) {
            Object value = read(in, block, first);
            for (long index = first + 1; index <= last; index++) {
                value = combiner.apply(value, read(in, block, index));
            }
            return value;
        }
        for (long index = first; index <= last; index++) {
            if (in.peek() != ResultMark.COMBINED) {
                throw told(index, failure(in, call.task(index) + on(block)));
            }
            in.read();
        }
        return read(in, block, last);
    }

    private FiberException told(long index, FiberException thrown) {
        Telemetry.failure(call.pool(), call.number(), index, thrown);
        return thrown;
    }

    private FiberException failure(PayloadInput in, String where) {
        return in.read() == ResultMark.OVERDUE
                ? new TaskTimeoutException(where
                        + " ran longer than its deadline and was interrupted. Raise the deadline, or give the task"
                        + " less to do.")
                : thrown(codecs.failures().read(in), where);
    }

    /** A worker that met the end of its memory is not ended by that. */
    private static RemoteTaskException thrown(RemoteFailure failure, String where) {
        return failure.type().equals(OutOfMemoryError.class.getName())
                ? failure.thrownBy(
                        where,
                        ". The worker continues with other tasks. If its heap was full, give workers more memory:"
                                + " memory(...) of the pool's builder, or -Xmx in worker.jvm-options.")
                : failure.thrownBy(where);
    }

    private static String on(Answer.Block block) {
        return block.worker().map(" on "::concat).orElse("");
    }

    /** Returns what is thrown for an item that has no result. */
    FiberException refused(Answer.Refused refused) {
        return told(refused.index(), reason(refused));
    }

    private FiberException reason(Answer.Refused refused) {
        String task = call.task(refused.index());
        if (refused instanceof Answer.Lost lost) {
            return lost.loss().of(task, lost.attempts());
        }
        if (refused instanceof Answer.Tried tried) {
            return triedInVain(tried);
        }
        Answer.Overdue overdue = (Answer.Overdue) refused;
        return new TaskTimeoutException(task + " on " + overdue.worker()
                + " ran longer than its deadline and did not stop when it was interrupted, so its worker was ended."
                + " Raise the deadline, or have the task end when Thread.interrupted() is true.");
    }

    /** What several tries threw alike is told once, with their number. */
    private FiberException triedInVain(Answer.Tried tried) {
        Map<String, List<Answer.Block>> alike = new LinkedHashMap<>();
        for (Answer.Block block : tried.earlier()) {
            alike.computeIfAbsent(trace(block), trace -> new ArrayList<>()).add(block);
        }
        FiberException last;
        if (tried.last() instanceof Answer.Block block) {
            alike.remove(trace(block));
            last = thrown(block, ", tried" + times(tried.earlier().size() + 1, block));
        } else {
            last = reason((Answer.Refused) tried.last());
        }
        alike.values().forEach(blocks -> {
            Answer.Block newest = blocks.get(blocks.size() - 1);
            last.addSuppressed(thrown(newest, blocks.size() == 1 ? on(newest) : "," + times(blocks.size(), newest)));
        });
        return last;
    }

    private static String times(int count, Answer.Block last) {
        return " " + count + " times, the last time" + on(last) + ",";
    }

    /** Returns what tells a failure from another one: the same line of a program throws the same. */
    private String trace(Answer.Block block) {
        FiberException failure = thrown(block, "");
        return failure instanceof RemoteTaskException remote ? remote.remoteStackTrace() : failure.toString();
    }

    /** Returns the failure that a block of one item holds. */
    private FiberException thrown(Answer.Block block, String where) {
        String task = call.task(block.firstIndex());
        try {
            return failure(open(block), task + where);
        } catch (FiberException e) {
            return e;
        }
    }
}
