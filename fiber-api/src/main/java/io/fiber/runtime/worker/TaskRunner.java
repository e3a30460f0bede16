// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.SerializationException;
import io.fiber.runtime.conductor.Conductor;
import io.fiber.runtime.flight.Flight;
import io.fiber.runtime.flight.Run;
import io.fiber.runtime.process.Seals;
import io.fiber.runtime.secure.SealException;
import io.fiber.runtime.serial.FailureCodec;
import io.fiber.runtime.serial.Subject;
import io.fiber.runtime.serial.ValueCodec;
import io.fiber.runtime.service.Afterwards;
import io.fiber.runtime.wire.Messages.Running;
import io.fiber.runtime.wire.Parcel;
import io.fiber.runtime.wire.PayloadInput;
import io.fiber.runtime.wire.PayloadOutput;
import io.fiber.runtime.wire.ResultMark;
import io.fiber.runtime.wire.codec.Input;
import java.util.List;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Runs the user's code, on one thread. Work comes from the conductor by one bounded queue, reports go back by another; no
 * exception of a task ends the thread. Between tasks, never during one, this thread runs the conductor's cycles itself:
 * that spares two changes of threads for each task, which cost more than all else.
 */
final class TaskRunner implements TaskDesk, Runnable {

    private static final int QUEUE = 1 << 10;
    /** Results that took longer than this leave before the rest of their chunk. */
    private static final long GREATEST_HOLD_NS = 1_000_000;

    /** While chunks follow each other this long goes by at most before the conductor's work is done between two. */
    private static final long GREATEST_SILENCE_NS = 300_000;

    private static final int GREATEST_HOLD_BYTES = 1 << 16;
    private static final Subject ARGUMENT = new Subject("an argument", "a task");
    private static final Subject RESULT = new Subject("the result", "a task");

    /** What a runner needs of its process. */
    record Tools(ValueCodec values, FailureCodec failures, Seals seals, Conductor conductor, Afterwards afterwards) {}

    private final Tools tools;
    private final OneToOneConcurrentArrayQueue<Work> work = new OneToOneConcurrentArrayQueue<>(QUEUE);
    private final OneToOneConcurrentArrayQueue<Report> reports = new OneToOneConcurrentArrayQueue<>(QUEUE);
    private final PayloadOutput out = new PayloadOutput();
    private final Object currentLock = new Object();
    private Work.@Nullable Items current;
    private volatile boolean begunLeft;
    private volatile boolean busy;
    private volatile @Nullable Thread thread;
    private long lastCycleNs;

    TaskRunner(Tools tools) {
        this.tools = tools;
    }

    @Override
    public boolean offer(Work item) {
        return work.offer(item);
    }

    @Override
    public @Nullable Report peek() {
        return reports.peek();
    }

    @Override
    public void taken() {
        reports.poll();
    }

    @Override
    public void begunHasLeft() {
        begunLeft = true;
    }

    /** Tells whether a task runs now, so that another thread must look after the conductor. */
    boolean isBusy() {
        return busy;
    }

    @Override
    public void cancel(Work.Items chunk, Running running) {
        chunk.cancelled = true;
        if (running == Running.LEFT) {
            return;
        }
        synchronized (currentLock) {
            Thread runner = thread;
            if (current == chunk && runner != null) {
                runner.interrupt();
            }
        }
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        busy = true;
        while (true) {
            Work next = work.poll();
            if (next == null) {
                busy = false;
                conduct();
            } else {
                busy = true;
                run(next);
                tools.conductor().idleStrategy().reset();
            }
        }
    }

    private void run(Work next) {
        if (next instanceof Work.Items chunk) {
            runChunk(chunk);
        } else if (next instanceof Work.First first) {
            runFirst(first);
        }
    }

    /** With nothing to run this thread does the conductor's work: what arrives is run without a change of threads. */
    private void conduct() {
        int done = tools.conductor().doWork();
        if (work.isEmpty()) {
            tools.conductor().idleStrategy().idle(done);
        }
    }

    private void runFirst(Work.First first) {
        try {
            SentFunction.call(first.function().decode(tools.values(), tools.seals()), null);
            report(new Report.FirstDone());
        } catch (Throwable thrown) {
            thrown.printStackTrace();
            tools.failures().write(thrown, out);
            report(new Report.FirstFailed(tools.seals().close(out.toPayload())));
        } finally {
            Thread.interrupted();
        }
    }

    private void runChunk(Work.Items chunk) {
        synchronized (currentLock) {
            current = chunk;
        }
        int done = 0;
        int reported = 0;
        PayloadInput in = null;
        Object function = null;
        Throwable broken = null;
        try {
            function = chunk.function.decode(tools.values(), tools.seals());
            in = openItems(chunk);
        } catch (Throwable thrown) {
            broken = thrown;
        }
        long sinceNs = System.nanoTime();
        while (done < chunk.count && !chunk.cancelled) {
            if (chunk.announced && !announce(chunk, done)) {
                break;
            }
            runItem(function, broken, chunk, in, done);
            Thread.interrupted();
            done++;
            long nowNs = System.nanoTime();
            boolean last = done == chunk.count;
            if (last || chunk.announced || nowNs - sinceNs > GREATEST_HOLD_NS || out.length() > GREATEST_HOLD_BYTES) {
                Parcel parcel = tools.seals().close(out.toPayload());
                report(new Report.Results(
                        chunk.chunk, chunk.attempt, reported, done - reported, nowNs - sinceNs, parcel, last));
                reported = done;
                sinceNs = nowNs;
            }
        }
        synchronized (currentLock) {
            current = null;
            Thread.interrupted();
        }
        if (done < chunk.count) {
            out.toPayload();
            report(new Report.Dropped(chunk.chunk, chunk.attempt));
        }
        List<Runnable> afterwards = tools.afterwards().takeAll();
        if (!afterwards.isEmpty()) {
            report(new Report.Then(afterwards));
        }
    }

    private @Nullable PayloadInput openItems(Work.Items chunk) throws SealException {
        if (chunk.input != Input.ITEMS) {
            return null;
        }
        PayloadInput in = tools.seals().open(chunk.parcel).open();
        for (int i = 0; i < chunk.passOver; i++) {
            passOver(in);
        }
        return in;
    }

    /** What cannot be read is another chunk's to report. */
    private void passOver(PayloadInput in) {
        try {
            tools.values().read(in, ARGUMENT);
        } catch (SerializationException e) {
            // It was skipped.
        }
    }

    private void runItem(
            @Nullable Object function,
            @Nullable Throwable broken,
            Work.Items chunk,
            @Nullable PayloadInput in,
            int index) {
        Run run = Flight.task(chunk.chunk, chunk.attempt, index);
        try {
            if (function == null || broken != null) {
                throw broken == null ? new IllegalStateException("No function.") : broken;
            }
            Object item = switch (chunk.input) {
                case INT_RANGE -> (Object) (int) (chunk.firstValue + index);
                case LONG_RANGE -> (Object) (chunk.firstValue + index);
                default -> in == null ? null : tools.values().read(in, ARGUMENT);
            };
            Object result = SentFunction.call(function, item);
            out.write(ResultMark.VALUE);
            writeResult(result);
            run.returned();
        } catch (Throwable thrown) {
            run.threw(thrown);
            out.write(ResultMark.FAILURE);
            tools.failures().write(thrown, out);
        }
    }

    /** A result that cannot be written leaves no trace: the mark in front of it is taken back too. */
    private void writeResult(@Nullable Object result) {
        long mark = out.length() - 1;
        try {
            tools.values().write(result, out, RESULT);
        } catch (RuntimeException | Error e) {
            out.truncate(mark);
            throw e;
        }
    }

    /** Returns false when the chunk was cancelled meanwhile: the interrupt that told so has ended the wait, not a task. */
    private boolean announce(Work.Items chunk, int item) {
        begunLeft = false;
        report(new Report.Begun(chunk.chunk, chunk.attempt, item));
        while (!begunLeft) {
            tools.conductor().idleStrategy().idle(tools.conductor().doWork());
        }
        Thread.interrupted();
        return !chunk.cancelled;
    }

    /** Reports leave when this thread conducts: after the last chunk that it has, or when the last time was a while ago. */
    private void report(Report report) {
        while (!reports.offer(report)) {
            tools.conductor().idleStrategy().idle(tools.conductor().doWork());
        }
        long nowNs = System.nanoTime();
        if (nowNs - lastCycleNs > GREATEST_SILENCE_NS) {
            lastCycleNs = nowNs;
            tools.conductor().doWork();
        }
    }
}
