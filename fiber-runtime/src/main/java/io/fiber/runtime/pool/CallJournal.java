// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.runtime.journal.ItemDigest;
import io.fiber.runtime.journal.JournaledCall;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.CallSink;
import io.fiber.runtime.process.SessionContext;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.ResultMark;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.serialization.ValueName;
import java.io.EOFException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stands between a call and its sink. Results go through the journal's thread, which records them and then hands them on.
 * So a result that a consumer has seen is in the file.
 */
final class CallJournal implements CallSink {

    /** Results that wait for a slow disk hold the call's next items back from this size on. */
    private static final long GREATEST_WAITING_BYTES = 16L << 20;

    private static final ValueName RESULT = new ValueName("the result", "task");

    private final JournaledCall call;
    private final CallSink sink;
    private final SessionContext context;
    /** The digests of items that were fed and have no result yet. */
    private final Map<Long, ItemDigest> items = new HashMap<>();

    private final AtomicLong waitingBytes = new AtomicLong();
    private volatile boolean stalled;
    /** Gives the call up if its results cannot be recorded. */
    private volatile Runnable canceller = () -> {};
    /** Whether the sink was told that no more follows. Belongs to the journal's thread. */
    private boolean isBroken;

    CallJournal(JournaledCall call, CallSink sink, SessionContext context) {
        this.call = call;
        this.sink = sink;
        this.context = context;
    }

    /** Has the result of an item recorded. */
    void await(long index, ItemDigest item) {
        synchronized (items) {
            items.put(index, item);
        }
    }

    /** Sets what gives the call up if its results cannot be recorded. */
    void cancelBy(Runnable cancel) {
        canceller = cancel;
    }

    private ItemDigest digestOf(long index) {
        synchronized (items) {
            return requireNonNull(items.remove(index), "item " + index);
        }
    }

    @Override
    public void onAnswer(Answer answer) {
        if (answer instanceof Answer.Block block) {
            long bytes = block.results().length();
            waitingBytes.addAndGet(bytes);
            inOrder(bytes, () -> {
                record(block);
                sink.onAnswer(block);
            });
        } else {
            inOrder(0, () -> {
                if (answer instanceof Answer.Refused refused) {
                    var unused = digestOf(refused.index());
                }
                sink.onAnswer(answer);
            });
        }
    }

    @Override
    public void onEnd(long count) {
        inOrder(0, () -> {
            call.end();
            sink.onEnd(count);
        });
    }

    @Override
    public void onBroken(FiberException cause) {
        inOrder(0, () -> sink.onBroken(cause));
    }

    @Override
    public void onProgress(int tasks, int failures) {
        sink.onProgress(tasks, failures);
    }

    @Override
    public void onOver() {
        sink.onOver();
    }

    @Override
    public boolean hasRoom() {
        if (waitingBytes.get() >= GREATEST_WAITING_BYTES) {
            stalled = true;
            return waitingBytes.get() < GREATEST_WAITING_BYTES && sink.hasRoom();
        }
        return sink.hasRoom();
    }

    /** Runs a step in the journal's thread, which keeps the order; if that has ended with its session, here. */
    private void inOrder(long bytes, Runnable step) {
        Runnable guarded = () -> {
            freed(bytes);
            try {
                if (!isBroken) {
                    step.run();
                }
            } catch (Throwable thrown) {
                isBroken = true;
                Faults.tell(broken -> sink.onBroken(unrecorded(broken)), thrown);
                canceller.run();
            }
        };
        if (!call.journal().execute(guarded)) {
            guarded.run();
        }
    }

    private void freed(long bytes) {
        if (waitingBytes.addAndGet(-bytes) < GREATEST_WAITING_BYTES && stalled) {
            stalled = false;
            context.conductor().wake();
        }
    }

    private static FiberException unrecorded(Throwable thrown) {
        return thrown instanceof FiberException ours
                ? ours
                : new FiberException("FBR-584", "The results of a call could not be recorded: " + thrown, thrown);
    }

    /** Records those of consecutive answers that are results. What cannot be read here is an error for the consumer. */
    private void record(Answer.Block block) {
        Payload payload;
        try {
            payload = context.seals().open(block.results()).requireKept();
        } catch (SealException | FiberException e) {
            return;
        }
        PayloadInput in = payload.open();
        Run run = new Run(payload);
        for (int i = 0; i < block.count(); i++) {
            ItemDigest item = digestOf(block.firstIndex() + i);
            if (in.peek() < ResultMark.LEAST) {
                run.add(block.firstIndex() + i, item, in);
            } else {
                run.write();
                skipFailure(in);
            }
        }
        run.write();
    }

    private void skipFailure(PayloadInput in) {
        if (in.read() == ResultMark.FAILURE) {
            var unused = context.codecs().failures().read(in);
        }
    }

    /** Consecutive results of a payload, which become one record. */
    private final class Run {
        private final PayloadInput bytes;
        private final List<ItemDigest> digests = new ArrayList<>();
        private final List<Long> lengths = new ArrayList<>();
        private long first;
        private long start;
        private long end;

        Run(Payload payload) {
            this.bytes = payload.open();
        }

        /** Adds the next result of {@code in} and skips it there. */
        void add(long index, ItemDigest item, PayloadInput in) {
            if (digests.isEmpty()) {
                first = index;
                start = in.position();
            }
            long from = in.position();
            context.codecs().values().skip(in, RESULT);
            end = in.position();
            digests.add(item);
            lengths.add(end - from);
        }

        void write() {
            if (digests.isEmpty()) {
                return;
            }
            long unused = bytes.skip(start - bytes.position());
            try {
                call.write(first, digests, lengths, bytes.slice(end - start));
            } catch (EOFException e) {
                throw new IllegalStateException("What was read here cannot be read again.", e);
            }
            digests.clear();
            lengths.clear();
        }
    }
}
