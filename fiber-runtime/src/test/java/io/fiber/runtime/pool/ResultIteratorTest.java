// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.RemoteTaskException;
import io.fiber.WaitInterruptedException;
import io.fiber.WorkerLostException;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.PoolWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ResultIteratorTest {

    private final ConsumerParking parking = new ConsumerParking("results");
    private final AtomicInteger conductorWakes = new AtomicInteger();
    private final Answers answers =
            new Answers(Answers.Room.BOUNDED, 1, parking::wake, conductorWakes::incrementAndGet);

    private ResultIterator iterator(ResultIterator.Order order) {
        return new ResultIterator(answers, parking, EncodedResults.reader(), order, () -> {});
    }

    private void results(long firstIndex, Object... results) {
        answers.onAnswer(new Answer.Block(firstIndex, results.length, EncodedResults.of(results)));
    }

    private static List<Object> rest(ResultIterator iterator) {
        List<Object> rest = new ArrayList<>();
        iterator.forEachRemaining(rest::add);
        return rest;
    }

    @Test
    void resultsComeInTheOrderOfTheItems() {
        results(3, "d");
        results(4, "e", "f");
        results(1, "b", "c");
        results(0, "a");
        answers.onEnd(6);
        assertThat(rest(iterator(ResultIterator.Order.INPUT))).containsExactly("a", "b", "c", "d", "e", "f");
    }

    @Test
    void resultsComeInTheOrderOfArrival() {
        results(3, "d");
        results(1, "b", "c");
        results(0, "a");
        answers.onEnd(4);
        assertThat(rest(iterator(ResultIterator.Order.ARRIVAL))).containsExactly("d", "b", "c", "a");
    }

    @Test
    void firstResultDoesNotWaitForTheOthers() {
        ResultIterator iterator = iterator(ResultIterator.Order.INPUT);
        results(0, "a");
        assertThat(iterator.next()).isEqualTo("a");
        results(1, "b");
        answers.onEnd(2);
        assertThat(rest(iterator)).containsExactly("b");
    }

    @Test
    void failuresStandInTheirPlaceAndTheRestFollows() {
        ResultIterator iterator = iterator(ResultIterator.Order.INPUT);
        answers.onAnswer(new Answer.Lost(2, 3, PoolWorld.loss("w", "signal 9")));
        results(0, "a", new IllegalStateException("on purpose"));
        results(3, "d");
        answers.onEnd(4);

        assertThat(iterator.next()).isEqualTo("a");
        assertThatThrownBy(iterator::next)
                .isInstanceOf(RemoteTaskException.class)
                .hasMessageContaining("on purpose");
        assertThatThrownBy(iterator::next)
                .isInstanceOf(WorkerLostException.class)
                .hasMessageContaining("Task 2");
        assertThat(rest(iterator)).containsExactly("d");
    }

    @Test
    void breakIsThrownOnceAndEndsTheResults() {
        ResultIterator iterator = iterator(ResultIterator.Order.INPUT);
        results(0, "a");
        results(2, "c");
        answers.onBroken(new PoolClosedException("p", PoolState.TERMINATED));

        assertThat(iterator.next()).isEqualTo("a");
        assertThatThrownBy(iterator::hasNext).isInstanceOf(PoolClosedException.class);
        assertThat(iterator.hasNext()).isFalse();
        assertThatThrownBy(iterator::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void memoryIsFreedWhenTheLastResultOfABlockIsTaken() {
        ResultIterator iterator = iterator(ResultIterator.Order.INPUT);
        results(0, "x".repeat(5 << 20), "b");
        results(2, "x".repeat(5 << 20));
        assertThat(answers.hasRoom()).isFalse();
        iterator.next();
        assertThat(answers.hasRoom()).isFalse();
        iterator.next();
        assertThat(conductorWakes).hasValue(1);
        assertThat(answers.hasRoom()).isTrue();
    }

    @Test
    void interruptEndsTheWaitAndIsKept() {
        ResultIterator iterator = iterator(ResultIterator.Order.INPUT);
        Thread.currentThread().interrupt();
        assertThatThrownBy(iterator::hasNext)
                .isInstanceOf(WaitInterruptedException.class)
                .hasMessage("FBR-303 Interrupted while waiting for results.");
        assertThat(Thread.interrupted()).isTrue();
    }
}
