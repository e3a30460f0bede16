// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.Manager;
import io.fiber.QueueClosedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Queues between real processes: what {@link LocalQueueTckTest} does not show. */
class QueueTest {

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    /** An item of a program's own class. */
    record Frame(int number, List<Double> pixels) implements java.io.Serializable {}

    @Test
    void itemOfAProgramsOwnClassArrives() {
        FiberQueue<Frame> queue = session.fiber().queue();
        queue.put(new Frame(3, List.of(1.0, 2.0)));
        assertThat(queue.take().pixels()).containsExactly(1.0, 2.0);
    }

    @Test
    void workerAnswersByASecondQueue() {
        Fiber fiber = session.fiber();
        FiberQueue<Integer> questions = fiber.queue();
        FiberQueue<Integer> answers = fiber.queue();
        FiberProcess worker = fiber.process(() -> {
            for (int item = questions.take(); item >= 0; item = questions.take()) {
                answers.put(item * item);
            }
        });
        for (int i = 0; i < 100; i++) {
            questions.put(i);
            assertThat(answers.take()).isEqualTo(i * i);
        }
        questions.put(-1);
        worker.join();
        assertThat(questions.size()).isZero();
    }

    @Test
    void queueIsIteratedUntilItIsClosedAndEmpty() {
        Fiber fiber = session.fiber();
        try (Manager manager = fiber.manager()) {
            for (FiberQueue<Integer> queue : List.of(fiber.<Integer>queue(), manager.<Integer>queue())) {
                FiberProcess writer = fiber.process(() -> {
                    for (int i = 0; i < 10; i++) {
                        queue.put(i);
                    }
                    queue.close();
                });
                List<Integer> received = new ArrayList<>();
                queue.forEach(received::add);

                assertThat(received).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
                assertThat(writer.join()).isZero();
                assertThatThrownBy(() -> queue.iterator().next()).isInstanceOf(NoSuchElementException.class);
            }
        }
    }

    @Test
    void everyQueueIsAskedWithoutWaiting() {
        Fiber fiber = session.fiber();
        try (Manager manager = fiber.manager()) {
            for (FiberQueue<Integer> queue : List.of(fiber.<Integer>queue(1), manager.<Integer>queue(1))) {
                assertThat(queue.poll()).isEmpty();
                assertThat(queue.isEmpty()).isTrue();
                assertThat(queue.offer(1)).isTrue();
                assertThat(queue.offer(2)).isFalse();
                assertThat(queue.offer(2, Duration.ofMillis(10))).isFalse();
                assertThat(queue.poll()).contains(1);
                assertThat(queue.poll(Duration.ZERO)).isEmpty();
                queue.close();
                assertThatThrownBy(() -> queue.offer(3))
                        .isInstanceOf(QueueClosedException.class)
                        .hasMessageStartingWith("FBR-410 ");
                assertThatThrownBy(queue::poll)
                        .isInstanceOf(QueueClosedException.class)
                        .hasMessageStartingWith("FBR-411 ");
            }
        }
    }
}
