// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.rpc.Tree;
import io.fiber.runtime.security.Seals;
import io.fiber.spec.EndCause;
import io.fiber.spi.CallerHost;
import io.fiber.spi.backend.JobEvent;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class JobMessagesTest {

    private static final RemoteJob SENT = job("17");

    private static RemoteJob job(String id) {
        Tree.Node worker = new Tree().root(Seals.none()).worker(1);
        RemoteJobBackend backend = new RemoteJobBackend(worker.router(), 1_000, CallerHost.sameHost());
        RemoteJob job = new RemoteJob(backend, "job", event -> {});
        job.named(id);
        return job;
    }

    static Stream<Function<RemoteJob, JobEvent>> events() {
        return Stream.of(
                job -> new JobEvent.Waiting(job, "Resources"),
                job -> new JobEvent.Running(job, "node7"),
                job -> new JobEvent.Preempting(job, "in 30 s"),
                job -> new JobEvent.Ended(job, JobTermination.exited(3)),
                job -> new JobEvent.Ended(job, JobTermination.cancelled()),
                job -> new JobEvent.Ended(
                        job, JobTermination.failed(EndCause.OUT_OF_MEMORY, OptionalInt.of(137), "killed")),
                job -> new JobEvent.Ended(job, JobTermination.lost("forgotten")));
    }

    @ParameterizedTest
    @MethodSource("events")
    void everyEventArrivesWithTheIdOfItsJob(Function<RemoteJob, JobEvent> event) throws IOException {
        RemoteJob heard = job("");
        List<String> told = JobMessages.event("job", event.apply(SENT));
        assertThat(told).startsWith("job", "17");
        assertThat(JobMessages.readEvent(told, heard)).isEqualTo(event.apply(heard));
        assertThat(heard.id()).isEqualTo("17");
    }

    @ParameterizedTest
    @MethodSource("events")
    void eventThatIsNoneIsRefused(Function<RemoteJob, JobEvent> event) {
        List<String> whole = JobMessages.event("job", event.apply(SENT));
        for (int count = 0; count < whole.size(); count++) {
            List<String> cut = whole.subList(0, count);
            assertThatThrownBy(() -> JobMessages.readEvent(cut, SENT)).isInstanceOf(IOException.class);
        }
        List<String> other = new ArrayList<>(whole);
        other.set(2, "sleeping");
        assertThatThrownBy(() -> JobMessages.readEvent(other, SENT))
                .isInstanceOf(IOException.class)
                .hasMessage("The event of a job has an unknown kind.");
    }

    @Test
    void textsArriveAsTheyWereSent() throws IOException {
        List<String> lines = List.of("a line", "", "and ünother");
        assertThat(JobMessages.readTexts(JobMessages.texts(lines))).isEqualTo(lines);
        byte[] whole = JobMessages.texts(lines).toArray();
        for (int length = 0; length < whole.length; length++) {
            Payload cut = Payload.of(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> JobMessages.readTexts(cut)).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> JobMessages.readTexts(Payload.of(Arrays.copyOf(whole, whole.length + 1))))
                .isInstanceOf(IOException.class)
                .hasMessage("1 bytes follow the end of a message about jobs.");
    }
}
