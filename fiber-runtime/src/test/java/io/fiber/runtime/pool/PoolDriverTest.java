// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.PoolState;
import io.fiber.Retry;
import io.fiber.runtime.eventloop.Conductor;
import io.fiber.runtime.pool.scheduling.Answer;
import io.fiber.runtime.pool.scheduling.BrokenOnly;
import io.fiber.runtime.pool.scheduling.Call;
import io.fiber.runtime.pool.scheduling.CallSink;
import io.fiber.runtime.pool.scheduling.FixedCalls;
import io.fiber.runtime.pool.scheduling.PoolLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

class PoolDriverTest {

    private final PoolDriver driver = new PoolDriver(
            new PoolDriver.Staff(
                    "p",
                    "w",
                    WorkerlessPool.needs(),
                    Optional.empty(),
                    Optional.empty(),
                    (worker, failure, then) -> {}),
            new PoolLimits(1, 1, OptionalInt.empty(), 3, 100, 800, Integer.MAX_VALUE),
            WorkerlessPool.supervisor(new Conductor("test", SystemNanoClock.INSTANCE, Duration.ofSeconds(20))));

    @Test
    void callThatCannotBeToldOfTheEndKeepsNoOtherCallAndNoCloseWaiting() {
        driver.machine.onCall(call(new BrokenOnly(cause -> {
            throw new NoClassDefFoundError("a class that had no memory to be initialized");
        })));
        Call other = FixedCalls.ofOne();
        driver.machine.onCall(other);

        assertThatThrownBy(() -> driver.onFault(new OutOfMemoryError("Java heap space")))
                .isInstanceOf(NoClassDefFoundError.class);

        assertThat(FixedCalls.lines(other)).containsExactly("broken FBR-404");
        assertThat(driver.terminated).isCompleted();
        assertThat(driver.state()).isEqualTo(PoolState.TERMINATED);
    }

    private static Call call(CallSink sink) {
        return new Call(FixedCalls.function(1), FixedCalls.ints(0, 1), new Call.Limits(1, 1, 0, Retry.times(0)), sink);
    }

    @Test
    void answerThatNoThreadCanReadIsTheEndOfItsCall() {
        NoClassDefFoundError noThread = new NoClassDefFoundError("Could not initialize class ForkJoinPool$WorkQueue");
        List<Answer> told = new ArrayList<>();
        SingleAnswer answer = new SingleAnswer(
                task -> {
                    throw noThread;
                },
                told::add);

        assertThatThrownBy(() -> answer.onBroken(driver.stopped(new OutOfMemoryError())))
                .isSameAs(noThread);

        assertThat(told)
                .singleElement()
                .isInstanceOfSatisfying(
                        Answer.Broken.class,
                        broken -> assertThat(broken.cause())
                                .hasMessageStartingWith("FBR-404 The result of a call could not be passed to a thread")
                                .hasCause(noThread));
    }
}
