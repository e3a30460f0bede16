// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.Outcome;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.protocol.PayloadInput;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Results as they are asked for, one by one; a block is read only as far as its results are taken. Used by one thread at a
 * time.
 */
final class ResultIterator implements Iterator<@Nullable Object> {

    private final Answers answers;
    private final ConsumerParking parking;
    private final ResultReader reader;
    private final Order order;
    private final Runnable atEnd;
    private final PriorityQueue<Answer> early =
            new PriorityQueue<>((a, b) -> Long.compare(firstIndex(a), firstIndex(b)));
    /** A block that has results left, or an item without one. */
    private @Nullable Answer current;
    /** Of the current block. */
    private @Nullable PayloadInput input;

    private int readOfBlock;
    private long nextIndex;
    private boolean ended;

    /** Creates an iterator; {@code atEnd} is run before it tells that there are no more. */
    ResultIterator(Answers answers, ConsumerParking parking, ResultReader reader, Order order, Runnable atEnd) {
        this.atEnd = atEnd;
        this.answers = answers;
        this.parking = parking;
        this.reader = reader;
        this.order = order;
    }

    @Override
    public boolean hasNext() {
        while (current == null) {
            if (!takeEarly() && (ended || !takeEvent())) {
                return false;
            }
        }
        return true;
    }

    @Override
    public @Nullable Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        nextIndex++;
        if (current instanceof Answer.Block block) {
            try {
                return reader.read(requireNonNull(input), block, block.firstIndex() + readOfBlock++);
            } finally {
                if (readOfBlock == block.count()) {
                    answers.consumed(block);
                    current = null;
                    input = null;
                }
            }
        }
        Answer.Refused refused = (Answer.Refused) requireNonNull(current);
        current = null;
        throw reader.refused(refused);
    }

    /** Returns the rest of the results with the failures, instead of throwing these. */
    Iterator<Outcome<@Nullable Object>> outcomes() {
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return ResultIterator.this.hasNext();
            }

            @Override
            @SuppressWarnings("NullAway") // a result may be null
            public Outcome<@Nullable Object> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                long index = nextIndex;
                try {
                    return new Outcome.Success<>(index, ResultIterator.this.next());
                } catch (FiberException e) {
                    return new Outcome.Failure<>(index, e);
                }
            }
        };
    }

    private boolean takeEarly() {
        Answer first = early.peek();
        if (first == null || (order == Order.INPUT && firstIndex(first) != nextIndex)) {
            return false;
        }
        early.remove();
        begin(first);
        return true;
    }

    /** Returns false at the end. */
    private boolean takeEvent() {
        Answer event = await();
        if (event instanceof Answer.Broken broken) {
            ended = true;
            atEnd.run();
            throw broken.thrown();
        }
        if (event instanceof Answer.End) {
            ended = true;
            atEnd.run();
            return !early.isEmpty();
        }
        early.add(event);
        return true;
    }

    private void begin(Answer event) {
        if (event instanceof Answer.Block block) {
            input = reader.open(block);
            readOfBlock = 0;
        }
        current = event;
    }

    private Answer await() {
        parking.await(() -> !answers.isEmpty());
        Answer event = answers.poll();
        if (event == null) {
            throw new IllegalStateException(
                    "FBR-306 Two threads consume one stream of results. Use one thread, or" + " one stream for each.");
        }
        return event;
    }

    private static long firstIndex(Answer event) {
        return event instanceof Answer.Block block
                ? block.firstIndex()
                : event instanceof Answer.Refused refused ? refused.index() : Long.MAX_VALUE;
    }

    /** Whether results come in the order of the items or in the order in which they arrive. */
    enum Order {
        INPUT,
        ARRIVAL
    }
}
