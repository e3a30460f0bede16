// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.remotejobs.RemoteJobReply.Happened;
import io.fiber.runtime.remotejobs.RemoteJobReply.News;
import io.fiber.runtime.remotejobs.RemoteJobReply.Sort;
import io.fiber.spi.backend.JobTermination;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RemoteJobReplyTest {

    static Stream<RemoteJobReply> answers() {
        return Stream.of(
                new RemoteJobReply.Submitted(List.of("17", "pod-a")),
                new RemoteJobReply.Refused(Sort.PERMANENT, "FBR-106 no GPU here"),
                new RemoteJobReply.Refused(Sort.TRANSIENT, "slurmctld does not answer"),
                new Happened(3, "17", new News.Waiting("Resources")),
                new Happened(0, "17", new News.Running("node7")),
                new Happened(0, "17", new News.Preempting("in 30 s")),
                new Happened(1, "17", new News.Ended(JobTermination.exited(3))),
                new Happened(1, "17", new News.Ended(JobTermination.cancelled())),
                new Happened(
                        1,
                        "17",
                        new News.Ended(JobTermination.failed(
                                JobTermination.Cause.OUT_OF_MEMORY, OptionalInt.of(137), "killed"))),
                new Happened(1, "17", new News.Ended(JobTermination.lost("forgotten"))),
                new RemoteJobReply.Lines(9, List.of("a line", "", "and ünother")),
                new RemoteJobReply.NoLines(9, Sort.TRANSIENT, "not now"));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void everyAnswerArrivesAsItWasSent(RemoteJobReply answer) throws IOException {
        assertThat(RemoteJobReply.decode(answer.encode())).isEqualTo(answer);
    }

    @ParameterizedTest
    @MethodSource("answers")
    void bytesThatAreMissingOrTooManyAreRefused(RemoteJobReply answer) {
        byte[] whole = answer.encode().toArray();
        for (int length = 0; length < whole.length; length++) {
            Payload cut = Payload.of(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> RemoteJobReply.decode(cut)).isInstanceOf(IOException.class);
        }
        Payload longer = Payload.of(Arrays.copyOf(whole, whole.length + 1));
        assertThatThrownBy(() -> RemoteJobReply.decode(longer)).isInstanceOf(IOException.class);
    }
}
