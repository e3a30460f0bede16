// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberException;
import io.fiber.Needs;
import io.fiber.Pool;
import io.fiber.PoolBrokenException;
import io.fiber.ProcessStartException;
import io.fiber.function.RemoteCallable;
import io.fiber.function.RemoteFunction;
import io.fiber.spec.Resources;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a function needs reaches the workers, and only those of its own pool. */
@Tag("slow")
class PoolNeedsTest {

    private static final String NAME = PoolNeedsTest.class.getName();

    @RegisterExtension
    static final SharedSession session = new SharedSession();

    @Needs(cpus = 1, memory = "96m")
    static int processors(int item) {
        return Runtime.getRuntime().availableProcessors();
    }

    @Needs(cpus = 0.5)
    static int fewer(int item) {
        return item;
    }

    static long heapBytes() {
        return Runtime.getRuntime().maxMemory();
    }

    @Needs(gpus = 1_000)
    static int render(int item) {
        return item;
    }

    @Needs(memory = "64m")
    static void checkHeap() {
        if (heapBytes() > 64 << 20) {
            throw new IllegalStateException("The heap is " + heapBytes() + " bytes.");
        }
    }

    @Test
    void workersAreStartedWithTheNeedsOfTheFirstFunction() {
        try (Pool pool = session.fiber().poolBuilder(1).name("sweep").build()) {
            assertThat(pool.map(PoolNeedsTest::processors, IntStream.range(0, 2)))
                    .isEqualTo(List.of(1, 1));
            assertThat(pool.apply(PoolNeedsTest::heapBytes)).isLessThanOrEqualTo(96L << 20);

            assertThatThrownBy(() -> pool.map(PoolNeedsTest::fewer, IntStream.range(0, 2)))
                    .isInstanceOf(FiberException.class)
                    .hasMessage("FBR-480 Pool 'sweep' cannot run a function that needs cpus=0.5 (from @Needs of " + NAME
                            + ".fewer): its workers were started with cpus=1.0, memoryBytes=100663296 (from @Needs of "
                            + NAME + ".processors). Make another pool for this function.");
        }
    }

    @Test
    void functionForAGraphicsProcessorDoesNotRunWithoutOneBehindALambda() {
        int item = 7;
        Fiber fiber = session.fiber();
        try (Pool pool = fiber.pool(1);
                Pool others = fiber.pool(1)) {
            assertThatThrownBy(() -> fiber.process(() -> render(item)))
                    .isInstanceOf(ProcessStartException.class)
                    .hasMessageContaining(" needs GPU (gpus=1000); this host has ");
            assertThatThrownBy(() -> pool.map(each -> render(each + item), IntStream.range(0, 2)))
                    .isInstanceOf(PoolBrokenException.class)
                    .hasMessageContaining(" needs GPU (gpus=1000); this host has ");
            assertThatThrownBy(() -> others.asExecutorService()
                            .submit((Callable<Integer> & Serializable) () -> render(item))
                            .get())
                    .hasStackTraceContaining(" needs GPU (gpus=1000); this host has ");
        }
    }

    @Test
    void nothingLeaksToTheNextPool() {
        Fiber fiber = session.fiber();
        try (Pool small = fiber.pool(1)) {
            small.map(PoolNeedsTest::processors, IntStream.range(0, 1));
        }
        try (Pool next = fiber.pool(1)) {
            assertThat(next.apply(PoolNeedsTest::heapBytes)).isGreaterThan(96L << 20);
        }
    }

    @Test
    void callMaySayWhatALambdaNeeds() {
        RemoteCallable<Integer> count = () -> Runtime.getRuntime().availableProcessors();
        try (Fiber fiber = LocalFiber.open();
                Pool byCall = fiber.pool(1);
                Pool byDefault = fiber.poolBuilder(1)
                        .callOptions(CallOptions.defaults().resources(Resources.cpus(1)))
                        .start()) {
            assertThat(byCall.with(CallOptions.defaults().resources(Resources.cpus(1)))
                            .apply(count))
                    .isEqualTo(1);
            assertThat(byDefault.apply(count)).isEqualTo(1);
            assertThatThrownBy(() -> byDefault
                            .with(CallOptions.defaults().resources(Resources.cpus(2)))
                            .apply(count))
                    .hasMessageContaining("FBR-480");
        }
    }

    @Test
    void poolThatStartsWithoutAFunctionHasNoNeeds() {
        RemoteFunction<Integer, Integer> function = PoolNeedsTest::processors;
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.poolBuilder(1).name("early").start()) {
            assertThatThrownBy(() -> pool.map(function, IntStream.range(0, 1)))
                    .hasMessageContaining("its workers were started before a function had asked for resources.");
        }
    }

    @Test
    void moreProcessorsThanTheHostHasAreRefused() {
        int present = Runtime.getRuntime().availableProcessors();
        try (Fiber fiber = LocalFiber.open();
                Pool pool = fiber.poolBuilder(1)
                        .resources(Resources.cpus(present + 1.0))
                        .build()) {
            assertThatThrownBy(() -> pool.apply(() -> 1))
                    .isInstanceOf(PoolBrokenException.class)
                    .hasStackTraceContaining("this host has " + present + " processors");
        }
    }

    @Test
    void graphicsProcessorsAreRefusedAtOnce() {
        try (Fiber fiber = LocalFiber.builder().set("local.gpus", "GPU-a,GPU-b").open();
                Pool pool = fiber.poolBuilder(3)
                        .name("train")
                        .resources(Resources.gpus(1_000))
                        .build()) {
            PoolBrokenException thrown = catchThrowableOfType(PoolBrokenException.class, () -> pool.apply(() -> 1));

            assertThat(thrown)
                    .hasMessage("FBR-403 Pool 'train' ended: the platform refused its workers: FBR-106 Process"
                            + " 'p1-train-1' needs GPU (gpus=1000); this host has GPUs GPU-a, GPU-b (fiber.local.gpus)."
                            + " Ask for at most 2, name GPUs in fiber.local.gpus, or choose a backend with larger"
                            + " hosts.");
            // As many as were asked for together.
            assertThat(thrown.failedStarts()).isBetween(1, 3);
        }
    }

    @Test
    void programOfAProcessIsReadToo() {
        try (Fiber fiber = LocalFiber.open()) {
            assertThat(fiber.process(PoolNeedsTest::checkHeap).join()).isZero();
            assertThat(fiber.process(() -> checkHeap()).join()).isZero();
        }
    }
}
