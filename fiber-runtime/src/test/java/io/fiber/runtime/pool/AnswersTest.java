// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.FiberException;
import io.fiber.PoolBrokenException;
import io.fiber.PoolClosedException;
import io.fiber.PoolState;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.Loss;
import io.fiber.runtime.pool.scheduling.PoolWorld;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.SealedPayload;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class AnswersTest {

    private static final int MANY = 1 << 17;

    private final AtomicInteger consumerWakes = new AtomicInteger();
    private final AtomicInteger conductorWakes = new AtomicInteger();

    private Answers answers(Answers.Room room, int wakeAtItems) {
        return new Answers(room, wakeAtItems, consumerWakes::incrementAndGet, conductorWakes::incrementAndGet);
    }

    private static SealedPayload bytes(int count) {
        return SealedPayload.open(Payload.of(new byte[count]));
    }

    private static Answer.Block take(Answers answers) {
        return (Answer.Block) requireNonNull(answers.poll());
    }

    @Test
    void eventsComeInTheirOrder() {
        Answers answers = answers(Answers.Room.BOUNDED, 1);
        Loss loss = PoolWorld.loss("w", "gone");
        PoolClosedException closed = new PoolClosedException("p", PoolState.TERMINATED);
        assertThat(answers.isEmpty()).isTrue();
        answers.onAnswer(new Answer.Block(3, 2, SealedPayload.none()));
        answers.onAnswer(new Answer.Lost(7, 3, loss));
        answers.onEnd(9);
        answers.onBroken(closed);

        assertThat(answers.isEmpty()).isFalse();
        assertThat(answers.poll()).isEqualTo(new Answer.Block(3, 2, SealedPayload.none()));
        assertThat(answers.poll()).isEqualTo(new Answer.Lost(7, 3, loss));
        assertThat(answers.poll()).isEqualTo(new Answer.End(9));
        assertThat(answers.poll()).isEqualTo(new Answer.Broken(closed));
        assertThat(answers.poll()).isNull();
        assertThat(answers.isEmpty()).isTrue();
    }

    @Test
    void manyResultsWakeTheConsumerOnceThereAreEnough() {
        Answers answers = answers(Answers.Room.UNBOUNDED, 10);
        answers.onAnswer(new Answer.Block(0, 9, SealedPayload.none()));
        assertThat(consumerWakes).hasValue(0);
        answers.onAnswer(new Answer.Block(9, 1, SealedPayload.none()));
        assertThat(consumerWakes).hasValue(1);
    }

    @Test
    void greatResultsWakeTheConsumer() {
        Answers answers = answers(Answers.Room.UNBOUNDED, 10);
        answers.onAnswer(new Answer.Block(0, 1, bytes(1 << 18)));
        assertThat(consumerWakes).hasValue(0);
        answers.onAnswer(new Answer.Block(1, 1, bytes(1)));
        assertThat(consumerWakes).hasValue(1);
    }

    @Test
    void failureOfATaskAlwaysWakesTheConsumer() {
        Answers answers = answers(Answers.Room.UNBOUNDED, 10);
        answers.onAnswer(new Answer.Block(0, 1, SealedPayload.none(), Optional.of("worker 'w'")));
        assertThat(consumerWakes).hasValue(1);
    }

    @Test
    void endAndFaultsAlwaysWakeTheConsumer() {
        Answers answers = answers(Answers.Room.UNBOUNDED, 10);
        answers.onAnswer(new Answer.Lost(0, 1, PoolWorld.loss("w", "gone")));
        answers.onEnd(1);
        answers.onBroken(new PoolClosedException("p", PoolState.TERMINATED));
        assertThat(consumerWakes).hasValue(3);
    }

    @Test
    void boundedAnswersHoldBackMoreItemsAndWakeTheConductorWhenTaken() {
        Answers answers = answers(Answers.Room.BOUNDED, 1);
        answers.onAnswer(new Answer.Block(0, MANY - 1, SealedPayload.none()));
        assertThat(answers.hasRoom()).isTrue();
        answers.onAnswer(new Answer.Block(MANY - 1, 1, SealedPayload.none()));
        assertThat(answers.hasRoom()).isFalse();
        assertThat(answers.hasRoom()).isFalse();
        assertThat(conductorWakes).hasValue(0);

        answers.consumed(take(answers));
        assertThat(conductorWakes).hasValue(1);
        assertThat(answers.hasRoom()).isTrue();
        answers.consumed(take(answers));
        assertThat(conductorWakes).hasValue(1);
    }

    @Test
    void boundedAnswersCountBytes() {
        Answers answers = answers(Answers.Room.BOUNDED, 1);
        answers.onAnswer(new Answer.Block(0, 1, bytes((8 << 20) - 1)));
        assertThat(answers.hasRoom()).isTrue();
        answers.onAnswer(new Answer.Block(1, 1, bytes(1)));
        assertThat(answers.hasRoom()).isFalse();
        answers.consumed(take(answers));
        assertThat(answers.hasRoom()).isTrue();
        assertThat(conductorWakes).hasValue(1);
    }

    @Test
    void conductorThatNeverAskedIsNotWoken() {
        Answers answers = answers(Answers.Room.BOUNDED, 1);
        answers.onAnswer(new Answer.Block(0, MANY, SealedPayload.none()));
        answers.consumed(take(answers));
        assertThat(conductorWakes).hasValue(0);
    }

    @Test
    void conductorIsNotWokenWhileThereIsStillNoRoom() {
        Answers answers = answers(Answers.Room.BOUNDED, 1);
        answers.onAnswer(new Answer.Block(0, 10, SealedPayload.none()));
        answers.onAnswer(new Answer.Block(10, MANY, SealedPayload.none()));
        assertThat(answers.hasRoom()).isFalse();
        answers.consumed(take(answers));
        assertThat(conductorWakes).hasValue(0);
        answers.consumed(take(answers));
        assertThat(conductorWakes).hasValue(1);
    }

    /** The conductor has made it, whose lines say nothing about the program. */
    @Test
    void faultOfThePoolHasTheLinesOfItsCaller() throws Exception {
        FiberException[] made = new FiberException[2];
        Thread conductor = new Thread(() -> {
            made[0] = new PoolBrokenException("Pool 'p' ended.", 3, List.of(), null);
            made[1] = new FiberException("FBR-405", "The items of a call could not be read");
        });
        conductor.start();
        conductor.join();

        assertThat(new Answer.Broken(made[0]).thrown().getStackTrace())
                .anyMatch(line -> line.getMethodName().equals("faultOfThePoolHasTheLinesOfItsCaller"));
        assertThat(new Answer.Broken(made[1]).thrown().getStackTrace())
                .noneMatch(line -> line.getMethodName().equals("faultOfThePoolHasTheLinesOfItsCaller"));
    }

    @Test
    void unboundedAnswersAlwaysHaveRoom() {
        Answers answers = answers(Answers.Room.UNBOUNDED, 1);
        answers.onAnswer(new Answer.Block(0, 10 * MANY, bytes(9 << 20)));
        assertThat(answers.hasRoom()).isTrue();
    }
}
