// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.runtime.protocol.WorkerRole;
import io.fiber.spi.backend.Job;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.JobTermination;
import io.fiber.spi.backend.Program;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a master says about processes whose jobs wait, with a clock that the test turns. */
class WaitNotifierTest {

    private final MasterFixture master = new MasterFixture();
    private final MasterFixture.Owner owner = new MasterFixture.Owner();
    private final Logger logger = Logger.getLogger(WorkerSupervisor.class.getName());
    private final List<String> said = new ArrayList<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            said.add(line.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        logger.addHandler(handler);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(handler);
    }

    private void start(WorkerRole.Kind kind, String... names) {
        JobSpec spec = JobSpec.builder(new Program.Command(List.of("true"))).build();
        master.supervisor()
                .start(
                        spec,
                        Stream.of(names)
                                .map(name -> new WorkerSupervisor.WorkerRequest(
                                        master.supervisor().takeNumbers(1), name, kind, 1, owner))
                                .toList());
        cycle();
    }

    private void cycle() {
        for (int i = 0; i < 4; i++) {
            master.conductor().doWork();
        }
        master.supervisor().doWork(master.conductor().nowNs());
    }

    private void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            master.advance(Duration.ofSeconds(1));
            cycle();
        }
    }

    private void waits(int index, String reason) {
        RemoteWorker worker = owner.registered.get(index);
        worker.onJobEvent(new JobEvent.Waiting(job(worker), reason));
    }

    private static Job job(RemoteWorker worker) {
        return java.util.Objects.requireNonNull(worker.job(), "job");
    }

    @Test
    void processThatWaitsSaysWhyAfterTenSecondsAndAgainOnlyIfThePlatformHasAnotherReason() {
        start(WorkerRole.Kind.PROCESS, "process-train-1");
        waits(0, "Resources");

        pass(9);
        assertThat(said).isEmpty();
        pass(30);
        String first = "'process-train-1' has waited for 10 s. The platform says: Resources";
        assertThat(said).containsExactly(first);
        waits(0, "Priority");
        pass(1);

        assertThat(said).containsExactly(first, "'process-train-1' has waited for 40 s. The platform says: Priority");
    }

    @Test
    void membersOfARingShareALine() {
        start(WorkerRole.Kind.PROCESS, "ring-0", "ring-1", "ring-2", "ring-3");
        owner.registered.get(0).onJobEvent(new JobEvent.Running(job(owner.registered.get(0)), "here"));
        for (int member = 1; member < 4; member++) {
            waits(member, "Resources");
        }

        pass(10);

        assertThat(said)
                .containsExactly("'ring-1' and 2 others of 4 jobs have waited for 10 s. The platform says: Resources");
    }

    @Test
    void poolsSpeakForTheirWorkersThemselves() {
        start(WorkerRole.Kind.POOL, "p1-1");
        waits(0, "Resources");

        pass(100);

        assertThat(said).isEmpty();
    }

    @Test
    void processThatEndsWhileItWaitsSaysWhatItWaitedFor() {
        start(WorkerRole.Kind.PROCESS, "process-train-1");
        waits(0, "image 'acme' cannot be pulled");
        RemoteWorker worker = owner.registered.get(0);

        worker.onJobEvent(new JobEvent.Ended(job(worker), JobTermination.lost("the pod is gone")));
        cycle();

        assertThat(owner.told)
                .containsExactly(
                        "ended FAILED unknown: the pod is gone (it was waiting: image 'acme' cannot be" + " pulled)");
    }
}
