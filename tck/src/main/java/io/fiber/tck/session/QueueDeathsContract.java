// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.FiberProcess;
import io.fiber.FiberQueue;
import io.fiber.Pool;
import io.fiber.QueueClosedException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What happens to items and waiting callers when processes end. */
abstract class QueueDeathsContract extends SessionContract {

    /**
     * By taking again, the reader has finished the earlier items; the last item goes to another reader, ahead of all
     * others.
     */
    @Test
    void itemOfAReaderThatDiedComesAgain() {
        FiberQueue<Integer> queue = fiber().queue();
        IntStream.range(0, 5).forEach(queue::put);
        FiberProcess reader = process(() -> {
            queue.take();
            queue.take();
            die();
        });
        assertThat(reader.join()).isNotZero();
        assertThat(List.of(queue.take(), queue.take(), queue.take(), queue.take()))
                .containsExactly(1, 2, 3, 4);
    }

    @Test
    void itemsOfAWriterThatDiedAfterFlushArrive() {
        FiberQueue<Integer> queue = fiber().queue();
        List<Integer> items = IntStream.range(0, 500).boxed().toList();
        FiberProcess writer = process(() -> {
            items.forEach(queue::put);
            queue.flush();
            die();
        });
        assertThat(writer.join()).isNotZero();
        queue.close();
        assertThat(queue).containsExactlyElementsOf(items);
    }

    /** The first of two waiting readers is killed. */
    @Test
    void readerThatDiedWhileItWaitedTakesNothingWithIt() {
        FiberQueue<Integer> queue = fiber().queue();
        FiberQueue<Integer> begun = fiber().queue();
        FiberQueue<Integer> received = fiber().queue();
        List<FiberProcess> readers = IntStream.range(0, 2)
                .mapToObj(number -> process(() -> {
                    begun.put(number);
                    received.put(queue.take());
                }))
                .toList();
        FiberProcess first = readers.get(begun.take());
        FiberProcess second = readers.get(begun.take());
        first.kill();
        first.onExit().join();
        queue.put(7);
        assertThat(received.poll(LIMIT)).contains(7);
        assertEndsWell(second);
    }

    @Test
    void itemsOfEndedTasksAndProgramsDoNotComeAgain() {
        FiberQueue<Integer> queue = fiber().queue();
        IntStream.range(0, 3).forEach(queue::put);
        try (Pool pool = fiber().pool(1)) {
            assertThat(pool.apply(() -> queue.take())).isZero();
        }
        inProcess(queue::take);
        assertThat(queue.take()).isEqualTo(2);
        queue.close();
        assertThatThrownBy(queue::take).isInstanceOf(QueueClosedException.class);
    }

    @Test
    void queueEndsWithTheProcessThatMadeIt() {
        FiberQueue<FiberQueue<Integer>> handles = fiber().queue();
        FiberQueue<String> never = fiber().queue();
        FiberProcess host = process(() -> {
            handles.put(Fiber.current().queue());
            never.take();
        });
        FiberQueue<Integer> queue = handles.take();
        FiberProcess reader = process(() -> {
            queue.take();
            assertThatThrownBy(queue::take).isInstanceOf(FiberException.class).hasMessageStartingWith("FBR-400 ");
        });
        queue.put(1);
        eventually("a reader that took", () -> queue.size() == 0);
        host.kill();
        assertEndsWell(reader);
        assertThatThrownBy(() -> queue.put(1)).hasMessageStartingWith("FBR-400 ");
        queue.close();
    }
}
