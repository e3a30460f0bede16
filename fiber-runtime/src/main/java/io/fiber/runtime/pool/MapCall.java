// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.runtime.journal.JournaledCall;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.logging.Logs;
import io.fiber.runtime.platform.SessionThreads;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call of many items: it is begun, fed to the end of its input as there is room, and its results are read. One thread
 * feeds; others only hand over what it has in hand while its iterator waits, perhaps for results.
 */
final class MapCall {

    /** A caller that wants everything is woken for this many results at once. */
    private static final int MANY = 4096;

    private static final System.Logger LOG = Logs.of(MapCall.class);

    private final CallEngine engine;
    private final Inputs inputs;
    /** Reads a result. */
    final ResultReader reader;
    /** Where the thread waits that reads results. */
    final ConsumerParking parking;
    /** Where the thread waits that feeds the call. */
    private final ConsumerParking feederParking;
    /** Where results arrive. */
    final Answers answers;

    final CallHandle call;
    /** Null without a journal. */
    private final @Nullable RecordedResults recorded;

    private final Runnable inputEnd;
    /** Null when the conductor knows the items. */
    private final @Nullable Feeder feeder;

    /** Prepares a call of these inputs, which are items if there is a journal, and has read none of them. */
    MapCall(
            CallEngine engine,
            CallEngine.Asked asked,
            Inputs inputs,
            Reading reading,
            Optional<JournaledCall> journaled) {
        this.engine = engine;
        this.inputs = inputs;
        this.reader = asked.reader();
        this.parking = engine.parking();
        this.feederParking = reading == Reading.AS_ASKED ? engine.parking() : parking;
        this.answers = engine.answers(
                reading == Reading.ALL ? Answers.Room.UNBOUNDED : Answers.Room.BOUNDED,
                reading == Reading.AS_ASKED ? 1 : MANY,
                parking);
        // Without lambdas: a fresh JVM takes a millisecond for each, and most calls have no journal.
        CallJournal journal = journaled.isPresent() ? new CallJournal(journaled.get(), answers, engine.tools) : null;
        this.recorded = journal == null ? null : new RecordedResults(journaled.get(), journal, answers, engine.tools);
        if (inputs instanceof Inputs.Items items) {
            BlockSource blocks = new BlockSource(feederParking::wake, engine.tools.budget());
            Feeder feeds = new Feeder(items.iterator(), blocks, engine.tools.codecs(), engine.tools.seals());
            blocks.whenStarved(() -> flushSoon(feeds));
            this.feeder = feeds;
            if (recorded != null) {
                feeds.recall(recorded);
                answers.wakeFeederBy(feederParking::wake);
                blocks.waitForItems(engine.tools.conductor()::wake);
            }
            this.call = engine.prepare(asked, asked.function(), blocks, journal == null ? answers : journal);
            if (journal != null) {
                journal.cancelBy(call::cancel);
            }
            switch (items.place()) {
                case COPY -> feeds.readAhead();
                case PROGRAM -> feeds.referToArrays();
                case ELSEWHERE, COLLECTION -> {}
            }
        } else {
            this.feeder = null;
            this.call = engine.prepare(asked, asked.function(), ((Inputs.Range) inputs).source(), answers);
        }
        this.inputEnd = call.inputEnd();
        answers.watch(engine.progress(asked, inputs.total()));
    }

    void begin() {
        try {
            call.begin();
        } catch (RuntimeException | Error e) {
            inputs.close();
            throw e;
        }
    }

    /**
     * Feeds the call and reads all results.
     *
     * @throws FiberException when an item cannot be read or serialized, or has no result
     */
    void collect(ResultSink results) {
        Feeder feeds = feeder;
        try {
            Collector collector = new Collector(answers, reader, results);
            if (feeds != null) {
                feed(feeds, () -> read(feeds), collector);
            }
            parking.await(collector);
            RuntimeException failure = collector.failure();
            if (failure != null) {
                throw failure;
            }
        } catch (Throwable e) {
            call.cancel();
            throw e;
        } finally {
            inputs.close();
            answers.awaitEndTold();
        }
    }

    /** Has another thread feed the call. */
    void feedInBackground() {
        Feeder feeds = feeder;
        if (feeds != null) {
            inBackground(() -> feedAlone(feeds));
        }
    }

    /** Runs what feeds the call or waits for it; a call that gets no thread for it is given up. */
    void inBackground(Runnable task) {
        try {
            engine.tools.blocking().execute(task);
        } catch (RuntimeException | Error e) {
            call.cancel();
            inputs.close();
            throw e;
        }
    }

    private void feedAlone(Feeder feeds) {
        try {
            feed(feeds, () -> readOrStop(feeds), feeds.source::isClosed);
        } catch (Throwable e) {
            breakOff(e);
        } finally {
            Faults.isolated(MapCall.class, "The input of a call could not be closed.", inputs::close);
        }
    }

    /** Not every language makes an iterator declare the exceptions that it throws. */
    private static Feeder.Step read(Feeder feeds) {
        try {
            return feeds.feed();
        } catch (Throwable e) {
            throw unreadable(e);
        }
    }

    /** The results of the items that were read before the iterator threw come before what it threw. */
    private Feeder.Step readOrStop(Feeder feeds) {
        try {
            return read(feeds);
        } catch (FiberException e) {
            answers.endWith(e);
            return feeds.stop();
        }
    }

    /** Feeds, until all is fed or {@code isOver}, which takes what has come meanwhile. */
    private void feed(Feeder feeds, Supplier<Feeder.Step> next, BooleanSupplier isOver) {
        for (Feeder.Step step = next.get(); step != Feeder.Step.ENDED; step = next.get()) {
            if (isOver.getAsBoolean()) {
                return;
            }
            engine.tools.conductor().wake();
            if (step == Feeder.Step.FULL) {
                feeds.source.feederWaits(true);
                feederParking.await(() -> isOver.getAsBoolean() || feeds.hasRoom());
                feeds.source.feederWaits(false);
            }
        }
        engine.tools.conductor().execute(inputEnd);
        if (recorded != null && recorded.taken() > 0) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "Took " + recorded.taken() + " results of " + reader.call + " from its journal; "
                            + feeds.source.fed() + " tasks run.");
        }
    }

    private void flushSoon(Feeder feeds) {
        if (!SessionThreads.tryExecute(engine.tools.blocking(), () -> flush(feeds))) {
            feeds.source.flushRefused();
        }
    }

    private void flush(Feeder feeds) {
        try {
            feeds.flush();
            engine.tools.conductor().wake();
        } catch (Throwable e) {
            breakOff(e);
        }
    }

    /** Ends the call with what a thread has met that does not read its results. */
    private void breakOff(Throwable thrown) {
        try {
            Faults.tell(broken -> answers.onBroken(unreadable(broken)), thrown);
        } finally {
            call.cancel();
        }
    }

    static FiberException unreadable(Throwable thrown) {
        return thrown instanceof FiberException ours
                ? ours
                : new FiberException("FBR-405", "The items of a call could not be read: " + thrown, thrown);
    }

    /** How results are read. */
    enum Reading {
        /** One thread feeds the call and reads all results, which are kept. */
        ALL,
        /** One thread feeds the call and reads all results, which are not kept. */
        CONSUMED,
        /** One thread reads results as they are asked for, another one feeds the call. */
        AS_ASKED
    }
}
