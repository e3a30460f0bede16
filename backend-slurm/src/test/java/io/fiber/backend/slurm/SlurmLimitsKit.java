// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Meta;
import io.fiber.Pool;
import io.fiber.WorkerLostException;
import io.fiber.function.RemoteCallable;
import java.lang.reflect.Field;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that need more than their jobs were given. {@link SlurmClusterTest} runs it as the user of a cluster. */
@Timeout(600)
class SlurmLimitsKit {

    private static final long PIECE_BYTES = 16L << 20;

    /** Three times as much as a job here is given: without control groups it is noticed some seconds later. */
    private static final int PIECES = 60;

    private static WorkerLostException lossOf(FiberBuilder session, RemoteCallable<Integer> task) {
        try (Fiber fiber = session.open();
                Pool pool = fiber.poolOf(1).retries(0).build()) {
            Throwable[] thrown = new Throwable[1];
            assertThatThrownBy(() -> pool.apply(task))
                    .isInstanceOf(WorkerLostException.class)
                    .satisfies(each -> thrown[0] = each);
            return (WorkerLostException) thrown[0];
        }
    }

    /** Takes memory that no limit of the JVM counts, and holds it until it is stopped. */
    private static int eat() throws ReflectiveOperationException, InterruptedException {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field field = type.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        Object unsafe = field.get(null);
        for (int i = 0; i < PIECES; i++) {
            Object piece = type.getMethod("allocateMemory", long.class).invoke(unsafe, PIECE_BYTES);
            type.getMethod("setMemory", long.class, long.class, byte.class)
                    .invoke(unsafe, piece, PIECE_BYTES, (byte) 1);
        }
        return sleep();
    }

    @Test
    void taskThatTakesMoreMemoryThanItsJobHasSaysWhatToAskFor() {
        WorkerLostException loss = lossOf(KitFiber.builder(), SlurmLimitsKit::eat);

        assertThat(loss).hasMessageStartingWith("FBR-402 ").hasMessageContaining("give its workers more (resources)");
        assertThat(loss.attempts()).isOne();
        // The second where the machine lets Slurm make no control groups.
        assertThat(loss.exitDescription())
                .containsAnyOf(
                        "It used more memory than --mem on ",
                        "without control groups, too much memory looks like this");
    }

    private static int sleep() throws InterruptedException {
        Thread.sleep(Duration.ofMinutes(10).toMillis());
        return 0;
    }

    @Test
    @Tag("soak")
    void taskThatRunsLongerThanItsJobMaySaysWhatToRaise() {
        FiberBuilder session =
                KitFiber.builder().set("fiber.slurm.partition", "short").set("fiber.slurm.time-limit", "1m");

        assertThat(lossOf(session, SlurmLimitsKit::sleep).exitDescription())
                .contains(", time limit: Slurm ended it on ")
                .contains("(TIMEOUT); ask for more with fiber.slurm.time-limit.");
    }

    @Meta(gpu = 1)
    private static String devices() {
        return String.valueOf(System.getenv("CUDA_VISIBLE_DEVICES"));
    }

    @Test
    void taskThatNeedsAGpuSeesOne() {
        try (Fiber fiber = KitFiber.builder().open();
                Pool pool = fiber.pool(1)) {
            assertThat(pool.apply(SlurmLimitsKit::devices)).isIn("0", "1");
        }
    }
}
