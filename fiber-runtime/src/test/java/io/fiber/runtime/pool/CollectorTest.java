// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.RemoteTaskException;
import io.fiber.SerializationException;
import io.fiber.WorkerLostException;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.PoolWorld;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import org.junit.jupiter.api.Test;

class CollectorTest {

    private final Answers answers = new Answers(Answers.Room.UNBOUNDED, 1, () -> {}, () -> {});
    private final ResultArray results = new ResultArray();
    private final Collector collector = new Collector(answers, EncodedResults.reader(), results);

    private void results(long firstIndex, Object... results) {
        answers.onAnswer(new Answer.Block(firstIndex, results.length, EncodedResults.of(results)));
    }

    @Test
    void resultsComeToTheirPlacesWhateverTheirOrder() {
        results(3, "d", "e");
        results(40, "last");
        assertThat(collector.getAsBoolean()).isFalse();
        results(0, "a", "b", "c");
        for (int i = 5; i < 40; i++) {
            results(i, "i" + i);
        }
        answers.onEnd(41);

        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(collector.failure()).isNull();
        assertThat(results.toList())
                .hasSize(41)
                .startsWith("a", "b", "c", "d", "e", "i5")
                .endsWith("i39", "last");
    }

    @Test
    void callWithoutItemsHasNoResults() {
        answers.onEnd(0);
        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(results.toList()).isEmpty();
    }

    @Test
    void nullIsAResult() {
        answers.onAnswer(new Answer.Block(0, 1, EncodedResults.of(new Object[] {null})));
        answers.onEnd(1);
        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(results.toList()).containsExactly((Object) null);
    }

    @Test
    void firstFailureEndsTheCollection() {
        results(1, "b", new IllegalStateException("second"), "d");
        results(0, new IllegalStateException("late"));

        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(collector.failure()).isInstanceOf(RemoteTaskException.class).hasMessageContaining("second");
    }

    @Test
    void itemThatWasGivenUpIsAFailure() {
        answers.onAnswer(new Answer.Lost(4, 3, PoolWorld.loss("worker-7", "signal 9", "last words")));
        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(collector.failure())
                .isInstanceOf(WorkerLostException.class)
                .hasMessageContaining("Task 4")
                .hasMessageContaining("worker 'worker-7', signal 9");
    }

    @Test
    void brokenPoolIsAFailure() {
        PoolClosedException closed = new PoolClosedException("p", PoolState.TERMINATED);
        answers.onBroken(closed);
        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(collector.failure()).isSameAs(closed);
    }

    @Test
    void resultsThatAreCutOffAreAFailure() {
        answers.onAnswer(new Answer.Block(2, 1, SealedPayload.open(Payload.of(new byte[0]))));
        assertThat(collector.getAsBoolean()).isTrue();
        assertThat(collector.failure())
                .isInstanceOf(SerializationException.class)
                .hasMessageStartingWith("FBR-206 Cannot read the result 2 of task on the master: ");
    }
}
