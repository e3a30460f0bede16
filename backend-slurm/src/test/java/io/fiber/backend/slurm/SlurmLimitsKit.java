// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.FiberBuilder;
import io.fiber.Needs;
import io.fiber.Pool;
import io.fiber.WorkerLostException;
import io.fiber.function.RemoteCallable;
import io.fiber.tck.probe.Glutton;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tasks that need more than their jobs were given. {@link SlurmClusterTest} runs it as the user of a cluster. */
class SlurmLimitsKit {

    /** More than the job is given, so that Slurm has to notice and not the JVM. */
    private static final String GREEDY = "-XX:MaxDirectMemorySize=4g";

    private static WorkerLostException lossOf(FiberBuilder session, RemoteCallable<Integer> task) {
        try (Fiber fiber = session.open();
                Pool pool = fiber.poolBuilder(1)
                        .callOptions(CallOptions.defaults().maxReruns(0))
                        .build()) {
            Throwable[] thrown = new Throwable[1];
            assertThatThrownBy(() -> pool.apply(task))
                    .isInstanceOf(WorkerLostException.class)
                    .satisfies(each -> thrown[0] = each);
            return (WorkerLostException) thrown[0];
        }
    }

    /** Takes memory, and holds what it has until it is stopped: without control groups that takes some seconds. */
    private static int eat() throws InterruptedException {
        Glutton.main(new String[0]);
        return sleep();
    }

    @Test
    void taskThatTakesMoreMemoryThanItsJobHasSaysWhatToAskFor() {
        WorkerLostException loss =
                lossOf(KitFiber.builder().set("fiber.worker.jvm-options", GREEDY), SlurmLimitsKit::eat);

        assertThat(loss).hasMessageStartingWith("FBR-402 ").hasMessageContaining("give its workers more (resources)");
        assertThat(loss.attempts()).isOne();
        // The second where the machine lets Slurm make no control groups.
        assertThat(loss.exitDescription())
                .containsAnyOf(
                        "It used more memory than the job has on ",
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

    @Needs(gpus = 1)
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
