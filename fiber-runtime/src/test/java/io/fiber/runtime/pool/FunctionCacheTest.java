// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.FixedCalls;
import io.fiber.runtime.pool.scheduling.TaskFunction;
import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.security.Seals;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FunctionCacheTest {

    private final List<TaskFunction> evicted = new ArrayList<>();
    private final FunctionCache cache = new FunctionCache(evicted::add);

    private TaskFunction of(int number) {
        return cache.of(Payload.of(ByteBuffer.allocate(4).putInt(number).array()), Seals.none());
    }

    @Test
    void sameBytesAreTheSameFunction() {
        TaskFunction first = of(1);
        assertThat(of(1)).isSameAs(first);
        assertThat(of(2)).isNotSameAs(first);
        assertThat(of(2).id()).isNotEqualTo(first.id());
        assertThat(evicted).isEmpty();
    }

    @Test
    void sixtyFifthFunctionDrivesOutTheOneThatWasUsedLeastRecently() {
        TaskFunction first = of(0);
        TaskFunction second = of(1);
        for (int i = 2; i < 64; i++) {
            of(i);
        }
        assertThat(of(0)).isSameAs(first);
        of(64);

        assertThat(evicted).containsExactly(second);
        assertThat(of(0)).isSameAs(first);
        assertThat(of(1)).isNotSameAs(second);
    }

    @Test
    void greatFunctionIsNotKept() {
        byte[] bytes = new byte[(1 << 16) + 1];
        TaskFunction once = cache.of(Payload.of(bytes), Seals.none());

        assertThat(evicted).containsExactly(once);
        assertThat(cache.of(Payload.of(bytes), Seals.none())).isNotSameAs(once);
    }

    @Test
    void functionIsInUseFromItsLookUpToTheEndOfItsLastCall() {
        TaskFunction function = of(1);
        assertThat(function.isInUse()).isTrue();
        Call first = FixedCalls.of(function, FixedCalls.ints(0, 1), 0, 3);
        Call second = FixedCalls.of(of(1), FixedCalls.ints(0, 1), 0, 3);
        FixedCalls.end(first);
        FixedCalls.end(first);
        assertThat(function.isInUse()).isTrue();
        FixedCalls.end(second);
        assertThat(function.isInUse()).isFalse();
    }

    @Test
    void functionThatIsDrivenOutBeforeItsCallIsMadeIsStillInUse() {
        TaskFunction once = cache.of(Payload.of(new byte[1 << 17]), Seals.none());

        assertThat(evicted).allMatch(TaskFunction::isInUse);
        FixedCalls.end(FixedCalls.of(once, FixedCalls.ints(0, 1), 0, 3));
        assertThat(evicted).noneMatch(TaskFunction::isInUse);
    }
}
