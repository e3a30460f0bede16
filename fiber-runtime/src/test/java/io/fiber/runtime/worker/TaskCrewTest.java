// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.worker;

import static io.fiber.runtime.worker.TaskThreadScene.ended;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.Messages.Running;
import io.fiber.runtime.protocol.SealedPayload;
import io.fiber.runtime.protocol.codec.AssignDecoder;
import io.fiber.runtime.protocol.codec.AssignEncoder;
import io.fiber.runtime.protocol.codec.Input;
import io.fiber.runtime.protocol.codec.MessageHeaderDecoder;
import io.fiber.runtime.protocol.codec.MessageHeaderEncoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The task threads of a worker are one executor to its conductor. */
class TaskCrewTest {

    private static final class RecordedExecutor implements TaskExecutor {
        private final List<Work> offered = new ArrayList<>();
        private final ArrayDeque<Report> reports = new ArrayDeque<>();
        private final List<Work.Chunk> cancelled = new ArrayList<>();
        private Work.@Nullable Chunk stuck;
        private final List<Integer> granted = new ArrayList<>();

        @Override
        public boolean offer(Work item) {
            return offered.add(item);
        }

        @Override
        public @Nullable Report peek() {
            return reports.peek();
        }

        @Override
        public void taken() {
            reports.remove();
        }

        @Override
        public void granted(Work.Chunk chunk, int item) {
            granted.add(item);
        }

        @Override
        public void cancel(Work.Chunk chunk, Running running) {
            cancelled.add(chunk);
        }

        @Override
        public Work.@Nullable Chunk stuck(long nowNs, long graceNs) {
            return stuck;
        }
    }

    private final List<RecordedExecutor> threads =
            List.of(new RecordedExecutor(), new RecordedExecutor(), new RecordedExecutor());
    private final TaskExecutor crew = TaskCrew.of(threads);

    private static Work.Chunk chunk(int slot) {
        ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        new AssignEncoder()
                .wrapAndApplyHeader(buffer, 0, new MessageHeaderEncoder())
                .count(1)
                .input(Input.INT_RANGE)
                .slot(slot);
        AssignDecoder assign = new AssignDecoder().wrapAndApplyHeader(buffer, 0, new MessageHeaderDecoder());
        return new Work.Chunk(new SentFunction(SealedPayload.none()), SealedPayload.none(), assign);
    }

    private List<Report> takeAll() {
        List<Report> taken = new ArrayList<>();
        for (Report report = crew.peek(); report != null; report = crew.peek()) {
            taken.add(report);
            crew.taken();
        }
        return taken;
    }

    @Test
    void oneThreadIsItsOwnDesk() {
        assertThat(TaskCrew.of(threads.subList(0, 1))).isSameAs(threads.get(0));
    }

    @Test
    void chunkGoesToTheThreadThatTheMasterHasChosen() {
        Work.Chunk chunk = chunk(2);

        assertThat(crew.offer(chunk)).isTrue();
        crew.cancel(chunk, Running.INTERRUPTED);

        assertThat(threads.get(2).offered).containsExactly(chunk);
        assertThat(threads.get(2).cancelled).containsExactly(chunk);
        assertThat(threads.get(0).offered).isEmpty();
    }

    @Test
    void chunkForAThreadThatIsNotThereIsRefused() {
        assertThat(crew.offer(chunk(3))).isFalse();
    }

    @Test
    void whatRunsFirstRunsOnOneThread() {
        Work first = new Work.Initializer(new SentFunction(SealedPayload.none()));

        assertThat(crew.offer(first)).isTrue();

        assertThat(threads.get(0).offered).containsExactly(first);
        assertThat(threads.get(1).offered).isEmpty();
    }

    @Test
    void threadsReportInTurnAndEachInItsOrder() {
        threads.get(0).reports.addAll(List.of(ended(1), ended(2)));
        threads.get(2).reports.addAll(List.of(ended(3), ended(4)));

        assertThat(takeAll()).containsExactly(ended(1), ended(3), ended(2), ended(4));
    }

    @Test
    void grantReachesTheThreadOfItsChunk() {
        crew.granted(chunk(1), 7);

        assertThat(threads).extracting(thread -> thread.granted).containsExactly(List.of(), List.of(7), List.of());
    }

    @Test
    void itemThatDoesNotEndIsFoundOnAnyThread() {
        assertThat(crew.stuck(0, 1)).isNull();

        threads.get(2).stuck = chunk(2);

        assertThat(crew.stuck(0, 1)).isSameAs(threads.get(2).stuck);
    }
}
