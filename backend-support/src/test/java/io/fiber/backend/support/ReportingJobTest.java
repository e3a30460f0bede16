// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobListener;
import io.fiber.spi.backend.JobState;
import io.fiber.spi.backend.JobTermination;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportingJobTest {

    private final List<JobEvent> told = new ArrayList<>();

    private static final class SomeJob extends ReportingJob {
        private long graceNs = -1;

        SomeJob(JobListener listener) {
            super("a", listener);
        }

        @Override
        public String id() {
            return "17";
        }

        @Override
        protected void cancelAfter(long grace) {
            graceNs = grace;
        }

        @Override
        protected List<String> lastLines(int count) {
            return List.of("x".repeat(count));
        }
    }

    @Test
    void stateIsTheOneThatWasToldLast() {
        SomeJob job = new SomeJob(told::add);
        assertThat(job).hasToString("SomeJob[a, 17, QUEUED]");

        job.tellWaiting("no room");
        assertThat(job.state()).isEqualTo(JobState.QUEUED);
        job.tellRunning("host");
        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        job.tellEnded(JobTermination.exited(3));
        assertThat(job.state()).isEqualTo(JobState.FAILED);

        assertThat(told)
                .containsExactly(
                        new JobEvent.Waiting(job, "no room"),
                        new JobEvent.Running(job, "host"),
                        new JobEvent.Ended(job, JobTermination.exited(3)));
    }

    @Test
    void listenerThatThrowsStopsNothing() {
        SomeJob job = new SomeJob(event -> {
            throw new AssertionError("as it is meant");
        });

        job.tellEnded(JobTermination.cancelled());

        assertThat(job.state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void argumentsThatMakeNoSenseAreRefused() {
        SomeJob job = new SomeJob(told::add);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.cancel(Duration.ofSeconds(-1)))
                .withMessage("grace is PT-1S; expected zero or more.");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.logs(-1))
                .withMessage("lastLines is -1; expected 0 or more.");
        assertThat(job.logs(0)).isEmpty();
        assertThat(job.logs(2)).containsExactly("xx");
    }

    @Test
    void longestGraceLiesInTheFuture() {
        SomeJob job = new SomeJob(told::add);

        job.cancel(Duration.ofSeconds(Long.MAX_VALUE));

        long nowNs = System.nanoTime();
        assertThat(nowNs + job.graceNs - nowNs).isPositive().isEqualTo(job.graceNs);
    }
}
