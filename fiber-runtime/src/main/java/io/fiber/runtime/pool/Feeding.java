// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import io.fiber.FiberException;
import io.fiber.runtime.logging.Faults;
import io.fiber.runtime.process.SessionContext;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Feeds a call to the end of its input, waiting for room: in the thread that reads the results, or in one of its own. One
 * thread feeds; others only hand over what it has in hand while its iterator waits, perhaps for results.
 */
final class Feeding {

    private final SessionContext tools;
    private final Inputs.Items items;
    private final BlockSource source;
    private final ConsumerParking parking;
    private final Call call;
    private final Answers answers;
    private final Runnable inputEnded;
    private final Feeder feeder;

    /**
     * Prepares feeding.
     *
     * @param parking where the thread that feeds waits for room
     * @param answers tells the reader of the results what feeding has met
     * @param inputEnded runs on the conductor when everything was fed
     */
    Feeding(
            SessionContext tools,
            Inputs.Items items,
            BlockSource source,
            ConsumerParking parking,
            Call call,
            Answers answers,
            Runnable inputEnded) {
        this.tools = tools;
        this.items = items;
        this.source = source;
        this.parking = parking;
        this.call = call;
        this.answers = answers;
        this.inputEnded = inputEnded;
        this.feeder = new Feeder(items.iterator(), source, tools.codecs(), tools.seals());
        source.whenStarved(this::flushSoon);
    }

    /**
     * Feeds in the thread that reads the results.
     *
     * @throws FiberException when an item cannot be read or serialized
     */
    void beside(Collector results) {
        feed(this::read, results);
    }

    /** Feeds in a thread of its own, which closes the input. */
    void alone() {
        try {
            feed(this::next, source::isClosed);
        } catch (Throwable e) {
            breakOff(e);
        } finally {
            Faults.isolated(Feeding.class, "The input of a call could not be closed.", items::close);
        }
    }

    /** Not every language makes an iterator declare the exceptions that it throws. */
    private Feeder.Step read() {
        try {
            return feeder.feed();
        } catch (Throwable e) {
            throw unreadable(e);
        }
    }

    /** The results of the items that were read before the iterator threw come before what it threw. */
    private Feeder.Step next() {
        try {
            return read();
        } catch (FiberException e) {
            answers.endWith(e);
            return feeder.stop();
        }
    }

    /**
     * Feeds.
     *
     * @param next feeds until something is to be done
     * @param isOver takes what has come meanwhile, and tells whether feeding has become pointless
     */
    private void feed(Supplier<Feeder.Step> next, BooleanSupplier isOver) {
        for (Feeder.Step step = next.get(); step != Feeder.Step.ENDED; step = next.get()) {
            if (isOver.getAsBoolean()) {
                return;
            }
            tools.conductor().wake();
            if (step == Feeder.Step.FULL) {
                source.feederWaits(true);
                parking.await(() -> isOver.getAsBoolean() || source.hasRoom());
                source.feederWaits(false);
            }
        }
        tools.conductor().execute(inputEnded);
    }

    private void flushSoon() {
        try {
            tools.blocking().execute(this::flush);
        } catch (RejectedExecutionException e) {
            // The session has ended, and no caller waits.
        }
    }

    private void flush() {
        try {
            if (feeder.flush()) {
                tools.conductor().wake();
            }
        } catch (Throwable e) {
            breakOff(e);
        }
    }

    /** Ends the call with what a thread has met that does not read its results. */
    private void breakOff(Throwable thrown) {
        try {
            Faults.tell(broken -> answers.onBroken(unreadable(broken)), thrown);
        } finally {
            tools.conductor().execute(call.cancellation());
        }
    }

    private static FiberException unreadable(Throwable thrown) {
        return thrown instanceof FiberException ours
                ? ours
                : new FiberException("FBR-405", "The items of a call could not be read: " + thrown, thrown);
    }
}
