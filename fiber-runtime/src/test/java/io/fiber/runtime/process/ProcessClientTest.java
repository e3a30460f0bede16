// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.ProcessState;
import io.fiber.runtime.protocol.ProcessAddress;
import io.fiber.runtime.protocol.ProcessPath;
import io.fiber.runtime.rpc.ProcessContext;
import io.fiber.runtime.rpc.RpcRouter;
import io.fiber.runtime.security.Seals;
import io.fiber.runtime.serialization.Codecs;
import io.fiber.runtime.serialization.JavaSerializerProvider;
import io.fiber.runtime.serialization.Side;
import io.fiber.spi.Options;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProcessClientTest {

    private final MasterFixture master = new MasterFixture();
    private final JobSpec job =
            JobSpec.builder(new Program.Command(List.of("true"))).build();

    private ProcessClient process() {
        ProcessContext process = new ProcessContext(
                new RpcRouter(
                        new ProcessAddress(MasterFixture.SESSION, ProcessPath.root()),
                        master.conductor(),
                        Seals.none(),
                        Runnable::run),
                binding -> Codecs.of(new JavaSerializerProvider(), Options.none(), Side.MASTER, binding));
        SessionContext context = new SessionContext(
                master.conductor(),
                process.codecs(),
                Seals.none(),
                Runnable::run,
                Runnable::run,
                new SubmissionBudget(Long.MAX_VALUE),
                process);
        return new ProcessClient(
                new ProcessClient.Origin(
                        master.supervisor(),
                        context,
                        wanted -> job,
                        "process-1",
                        Duration.ofSeconds(10),
                        started -> {}),
                () -> {},
                new ProcessSettings(Optional.of("Process-1"), job, ProcessSettings.AtClose.JOINED));
    }

    /** A start that is interrupted kills its process, which may not have been submitted by then. */
    @Test
    void processThatIsKilledBeforeItIsSubmittedEnds() {
        ProcessClient process = process();
        ProcessClient.beginTogether(List.of(process));
        process.kill();

        for (int step = 0; step < 10 && process.isAlive(); step++) {
            master.advance(Duration.ofSeconds(2));
            master.conductor().doWork();
            master.supervisor().doWork(master.conductor().nowNs());
        }

        assertThat(process.state()).isEqualTo(ProcessState.TERMINATED);
    }
}
