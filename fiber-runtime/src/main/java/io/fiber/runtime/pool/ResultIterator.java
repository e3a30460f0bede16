// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

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

    /** Whether results come in the order of the items or in the order in which they arrive. */
    enum Order {
        INPUT,
        ARRIVAL
    }

    private final Answers answers;
    private final ConsumerParking parking;
    private final ResultReader reader;
    private final Order order;
    private final PriorityQueue<Answers.Event> early =
            new PriorityQueue<>((a, b) -> Long.compare(firstIndex(a), firstIndex(b)));
    private Answers.@Nullable Block current;
    private @Nullable PayloadInput input;
    private Answers.@Nullable Refused refused;
    private long nextIndex;
    private int leftInBlock;
    private final Runnable atEnd;
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
        while (leftInBlock == 0 && refused == null) {
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
        Answers.Refused given = refused;
        if (given != null) {
            refused = null;
            nextIndex++;
            throw reader.refused(given);
        }
        Answers.Block block = current;
        PayloadInput in = input;
        if (block == null || in == null) {
            throw new NoSuchElementException();
        }
        long index = block.firstIndex() + block.count() - leftInBlock;
        leftInBlock--;
        nextIndex++;
        try {
            return reader.read(in, block, index);
        } finally {
            if (leftInBlock == 0) {
                answers.consumed(block);
                current = null;
                input = null;
            }
        }
    }

    private boolean takeEarly() {
        Answers.Event first = early.peek();
        if (first == null || (order == Order.INPUT && firstIndex(first) != nextIndex)) {
            return false;
        }
        early.remove();
        begin(first);
        return true;
    }

    /** Returns false at the end. */
    private boolean takeEvent() {
        Answers.Event event = await();
        if (event instanceof Answers.Broken broken) {
            ended = true;
            atEnd.run();
            throw broken.thrown();
        }
        if (event instanceof Answers.End) {
            ended = true;
            atEnd.run();
            return !early.isEmpty();
        }
        early.add(event);
        return true;
    }

    private void begin(Answers.Event event) {
        if (event instanceof Answers.Block block) {
            current = block;
            input = reader.open(block);
            leftInBlock = block.count();
        } else if (event instanceof Answers.Refused given) {
            refused = given;
        }
    }

    private Answers.Event await() {
        parking.await(() -> !answers.isEmpty());
        Answers.Event event = answers.poll();
        if (event == null) {
            throw new IllegalStateException("FBR-306 Two threads consume one stream of results.");
        }
        return event;
    }

    private static long firstIndex(Answers.Event event) {
        return event instanceof Answers.Block block
                ? block.firstIndex()
                : event instanceof Answers.Refused refused ? refused.index() : Long.MAX_VALUE;
    }
}
