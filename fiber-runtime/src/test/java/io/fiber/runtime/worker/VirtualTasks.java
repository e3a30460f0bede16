// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import io.fiber.runtime.protocol.Messages;
import io.fiber.runtime.protocol.Messages.Running;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.protocol.ResultMark;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.Input;
import io.fiber.runtime.security.SealException;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.ValueName;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * What {@link TaskThread} does, with events instead of a thread: the same order of reports, the same moments at which
 * results leave, the same waits for announcements, the same looks at whether a chunk was cancelled.
 */
final class VirtualTasks implements TaskExecutor {

    private static final int QUEUE = 1 << 10;
    private static final int SPARE_REPORTS = 2;
    private static final long GREATEST_HOLD_NS = 1_000_000;
    private static final long GREATEST_SILENCE_NS = 300_000;
    private static final int GREATEST_HOLD_BYTES = 1 << 16;
    /** So long into an item the I/O thread sends what the thread has left. */
    private static final long STAND_BY_NS = 10_000_000;
    /** Items shorter than this run in one event with others. */
    private static final long QUICK_NS = 20_000;

    private static final ValueName VALUE = new ValueName("a value", "a simulated task");

    private final VirtualWorker.Host host;
    private final VirtualWorker.Script script;
    private final Codecs codecs;
    private final Seals seals;
    private final ArrayDeque<Work> work = new ArrayDeque<>();
    private final ArrayDeque<Report> reports = new ArrayDeque<>();
    private final PayloadOutput out = new PayloadOutput();
    private Work.@Nullable Chunk chunk;
    private @Nullable PayloadInput input;
    private @Nullable Object function;
    private @Nullable RetriedFunction retried;
    private @Nullable Object nextItem;
    private int done;
    private int reported;
    private long sinceNs;
    private long clockNs;
    private long lastCycleNs;
    private boolean announced;
    private boolean functionAnnounced;
    /** The functions that this thread has deserialized. */
    private final Set<SentFunction> decoded = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean endReported;
    private int failed;
    private boolean awaitsGrant;
    private boolean busy;
    private boolean stepIsDue;
    private boolean inItem;
    private long itemNumber;
    private boolean dead;

    VirtualTasks(VirtualWorker.Host host, VirtualWorker.Script script, Codecs codecs, Seals seals) {
        this.host = host;
        this.script = script;
        this.codecs = codecs;
        this.seals = seals;
        this.lastCycleNs = host.nowNs();
    }

    void die() {
        dead = true;
    }

    @Override
    public boolean offer(Work item) {
        if (work.size() == QUEUE) {
            return false;
        }
        work.add(item);
        if (!busy) {
            busy = true;
            stepSoon(0);
        }
        return true;
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
    public void granted(Work.Chunk granted, int item) {
        if (awaitsGrant && chunk == granted && item == (announced ? done : Messages.FUNCTION)) {
            awaitsGrant = false;
            stepSoon(0);
        }
    }

    @Override
    public void cancel(Work.Chunk cancelled, Running running) {
        cancelled.cancelled = true;
        if (awaitsGrant && chunk == cancelled) {
            awaitsGrant = false;
            stepSoon(0);
        }
        if (running != Running.LEFT && chunk == cancelled && inItem) {
            // Tasks that wait end by the interrupt.
            finishLater(0, new CancellationException("interrupted"));
        }
    }

    /** Items that are interrupted end. */
    @Override
    public Work.@Nullable Chunk stuck(long nowNs, long graceNs) {
        return null;
    }

    private void stepSoon(long delayNs) {
        if (!stepIsDue) {
            stepIsDue = true;
            host.later(delayNs, () -> {
                stepIsDue = false;
                step();
            });
        }
    }

    /** Goes on until something takes time. */
    private void step() {
        clockNs = host.nowNs();
        while (!dead && !inItem && !awaitsGrant) {
            if (reports.size() > QUEUE - SPARE_REPORTS) {
                host.conduct();
                stepSoon(GREATEST_SILENCE_NS);
                return;
            }
            if (chunk == null && !takeWork()) {
                busy = false;
                host.conduct();
                return;
            }
            if (chunk != null && !advance(chunk)) {
                return;
            }
        }
    }

    /** Returns false when there is nothing to do. */
    private boolean takeWork() {
        Work next = work.poll();
        if (next instanceof Work.Initializer) {
            inItem = true;
            host.later(script.initializerNs(), () -> {
                inItem = false;
                report(new Report.Initialized());
                stepSoon(0);
            });
        } else if (next instanceof Work.Chunk items && items.limit() > 0) {
            begin(items);
        }
        return next != null;
    }

    private void begin(Work.Chunk items) {
        chunk = items;
        done = 0;
        reported = 0;
        announced = false;
        functionAnnounced = false;
        endReported = false;
        failed = 0;
        sinceNs = clockNs;
        try {
            Object sent = items.function.decode(codecs.values(), seals);
            retried = sent instanceof RetriedFunction wrapped ? wrapped : null;
            function = retried == null ? sent : retried.function();
            input = items.input == Input.ITEMS ? seals.open(items.payload).open() : null;
            for (int i = 0; input != null && i < items.passOver; i++) {
                codecs.values().skip(input, VALUE);
            }
        } catch (SealException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The process ends; nothing follows. */
    private boolean crash(String how) {
        inItem = true;
        host.crash(how);
        return false;
    }

    /** Returns false when the rest comes with a later event. */
    private boolean advance(Work.Chunk items) {
        if (!announced && !functionAnnounced && (items.cancelled || !items.claim())) {
            end(items);
            return true;
        }
        if (items.cancelled) {
            end(items);
            return true;
        }
        Object named = java.util.Objects.requireNonNull(function, "function");
        boolean isNew = !decoded.contains(items.function);
        if (!announced && !functionAnnounced) {
            nextItem = item(items);
            if (done == 0 && script.endsOnArrival(named, nextItem)) {
                return crash("what it was sent kills it");
            }
            if (items.announced) {
                script.announce(named, nextItem);
            }
        }
        if (isNew && items.announced && !functionAnnounced) {
            functionAnnounced = true;
            awaitsGrant = true;
            report(new Report.Begun(items.id, items.attempt, Messages.FUNCTION));
            host.conduct();
            return false;
        }
        functionAnnounced = false;
        if (isNew && script.isLethal(named)) {
            return crash("its function kills it");
        }
        decoded.add(items.function);
        if (items.announced && !announced) {
            announced = true;
            awaitsGrant = true;
            report(new Report.Begun(items.id, items.attempt, done));
            host.conduct();
            return false;
        }
        Object item = nextItem;
        VirtualWorker.Doing doing = script.begin(named, item, items.announced);
        announced = false;
        if (doing.kills()) {
            inItem = true;
            host.later(doing.durationNs(), () -> host.crash("its task kills it"));
            return false;
        }
        if (clockNs - host.nowNs() + doing.durationNs() < QUICK_NS) {
            clockNs += doing.durationNs();
            finish(items, doing.result());
            return true;
        }
        inItem = true;
        finishLater(clockNs - host.nowNs() + doing.durationNs(), doing.result());
        return false;
    }

    private void finishLater(long delayNs, Object result) {
        long number = ++itemNumber;
        Work.Chunk items = chunk;
        if (delayNs > STAND_BY_NS) {
            host.later(STAND_BY_NS, host::conduct);
        }
        host.later(delayNs, () -> {
            if (!dead && inItem && number == itemNumber && items != null) {
                inItem = false;
                clockNs = host.nowNs();
                finish(items, result);
                step();
            }
        });
    }

    private @Nullable Object item(Work.Chunk items) {
        return switch (items.input) {
            case INT_RANGE -> (Object) (int) (items.firstValue + done);
            case LONG_RANGE -> (Object) (items.firstValue + done);
            default -> input == null ? null : codecs.values().read(input, VALUE);
        };
    }

    private void finish(Work.Chunk items, Object result) {
        if (result instanceof Throwable failure && retried != null && retried.allows(failure)) {
            reportForRetry(items, failure);
            return;
        }
        if (result instanceof Throwable thrown) {
            out.write(ResultMark.FAILURE);
            failed++;
            codecs.failures().write(thrown, out);
        } else {
            codecs.values().write(result, out, VALUE);
        }
        done++;
        boolean last = done == items.limit();
        if (last || items.announced || clockNs - sinceNs > GREATEST_HOLD_NS || out.length() > GREATEST_HOLD_BYTES) {
            reportResults(items);
        }
    }

    /** A failure after which its item may be tried again leaves alone, and what was held before it first. */
    private void reportForRetry(Work.Chunk items, Throwable thrown) {
        if (reported < done) {
            reportResults(items);
        }
        out.write(ResultMark.FAILURE);
        codecs.failures().write(thrown, out);
        SealedPayload payload = seals.close(out.toPayload());
        done++;
        endReported = done == items.limit();
        report(new Report.Results(
                items.id, items.attempt, reported, 1, 1, true, clockNs - sinceNs, payload, endReported));
        reported = done;
        sinceNs = clockNs;
    }

    private void reportResults(Work.Chunk items) {
        SealedPayload payload = seals.close(out.toPayload());
        endReported = done == items.limit();
        report(new Report.Results(
                items.id,
                items.attempt,
                reported,
                done - reported,
                failed,
                false,
                clockNs - sinceNs,
                payload,
                endReported));
        failed = 0;
        reported = done;
        sinceNs = clockNs;
    }

    private void end(Work.Chunk items) {
        chunk = null;
        if (done < items.limit()) {
            out.toPayload();
            report(new Report.Dropped(items.id, items.attempt));
        } else if (reported < done) {
            reportResults(items);
        }
        if (!endReported) {
            report(new Report.Ended(items.id, List.of()));
        }
    }

    private void report(Report report) {
        reports.add(report);
        if (clockNs - lastCycleNs > GREATEST_SILENCE_NS) {
            lastCycleNs = clockNs;
            host.conduct();
        }
    }
}
