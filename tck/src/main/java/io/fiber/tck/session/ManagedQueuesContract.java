// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.JoinableQueue;
import io.fiber.WaitInterruptedException;
import io.fiber.tck.fault.Interrupt;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Queues of a manager. */
abstract class ManagedQueuesContract extends ManagerContract {

    @Test
    void itemsPassBetweenProcessesInOrder() {
        FiberQueue<List<Integer>> queue = manager().queue();
        FiberQueue<Integer> sums = manager().queue();
        CompletableFuture<Boolean> adder = elsewhere(() -> {
            for (int i = 0; i < 10; i++) {
                sums.put(queue.take().stream().mapToInt(Integer::intValue).sum());
            }
        });
        for (int i = 0; i < 10; i++) {
            queue.put(List.of(i, i));
        }
        for (int i = 0; i < 10; i++) {
            assertThat(sums.take()).isEqualTo(2 * i);
        }
        assertEndsWell(adder);
        assertThat(queue.isEmpty()).isTrue();
    }

    @Test
    void aFullQueueLetsWritersWaitAndAnEmptyOneReaders() {
        FiberQueue<String> queue = manager().queue(1);
        assertThat(queue.poll()).isEmpty();
        assertThat(queue.poll(SHORT)).isEmpty();
        assertThat(queue.offer("one")).isTrue();
        assertThat(queue.offer("two")).isFalse();
        assertThat(queue.offer("two", SHORT)).isFalse();
        CompletableFuture<@Nullable Void> writer = inThread(() -> queue.put("two"));
        assertThat(queue.take()).isEqualTo("one");
        writer.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.poll(LIMIT)).contains("two");
    }

    @Test
    void anInterruptedReaderTakesNothing() {
        FiberQueue<String> queue = manager().queue();
        CompletableFuture<Thread> begun = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> reader = inThread(() -> {
            begun.complete(Thread.currentThread());
            assertThatThrownBy(queue::take).isInstanceOf(WaitInterruptedException.class);
        });
        Interrupt.whenItWaits(begun.join());
        reader.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        queue.put("kept");
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void joinWaitsUntilAllIsDone() {
        JoinableQueue<Integer> queue = manager().joinableQueue();
        for (int i = 0; i < 6; i++) {
            queue.put(i);
        }
        assertThat(queue.join(SHORT)).isFalse();
        List<FiberProcess> workers = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            workers.add(process(() -> {
                for (int n = 0; n < 3; n++) {
                    queue.take();
                    queue.taskDone();
                }
            }));
        }
        queue.join();
        workers.forEach(SessionContract::assertEndsWell);
        assertThatThrownBy(queue::taskDone)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("FBR-434");
    }

    @Test
    void whatADeadProcessDidNotFinishComesAgain() {
        JoinableQueue<Integer> queue = manager().joinableQueue(10);
        queue.put(1);
        queue.put(2);
        queue.put(3);
        FiberProcess dying = process(() -> {
            queue.take();
            queue.taskDone();
            queue.take();
            queue.take();
            die();
        });
        assertThat(dying.join()).isNotZero();
        assertThat(queue.take()).isEqualTo(2);
        queue.taskDone();
        assertThat(queue.poll(LIMIT)).contains(3);
        queue.taskDone();
        assertThat(queue.join(LIMIT)).isTrue();
    }

    /**
     * By taking again, the reader has finished the earlier items; the last item goes to another reader, ahead of all
     * others.
     */
    @Test
    void itemOfAReaderThatDiedComesAgain() {
        FiberQueue<Integer> queue = manager().queue();
        List.of(1, 2, 3, 4).forEach(queue::put);
        FiberProcess dying = process(() -> {
            queue.take();
            queue.poll();
            die();
        });
        assertThat(dying.join()).isNotZero();
        assertThat(List.of(queue.take(), queue.take(), queue.take())).containsExactly(2, 3, 4);
    }

    @Test
    void itemsOfReadersThatEndedWellDoNotComeAgain() {
        FiberQueue<Integer> queue = manager().queue();
        List.of(1, 2, 3).forEach(queue::put);
        assertEndsWell(process(() -> queue.take()));
        assertEndsWell(process(() -> queue.poll(LIMIT)));
        assertThat(queue.take()).isEqualTo(3);
        assertThat(queue.poll()).isEmpty();
    }
}
