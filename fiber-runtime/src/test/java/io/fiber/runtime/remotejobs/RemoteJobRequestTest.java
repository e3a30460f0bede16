// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.protocol.Payload;
import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Submission;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RemoteJobRequestTest {

    private static final JobSpec NOTHING_SAID = RemoteJobRequest.ofAnyWorker().build();

    private static final Submission FULL = new Submission(
            RemoteJobRequest.ofAnyWorker()
                    .resources(Resources.cpus(1.5).withMemory("2g").withGpus(3))
                    .environment(Map.of("PLACE", "Zürich", "EMPTY", ""))
                    .image("eclipse-temurin:21-jre")
                    .volumes(List.of(Volume.of("data", "/data").readOnly(), Volume.of("out", "/out")))
                    .labels(Map.of("team", "one"))
                    .workingDirectory(Path.of("/work"))
                    .timeLimit(Duration.ofMinutes(90))
                    .options(Map.of("slurm.partition", "gpu"))
                    .build(),
            List.of(
                    new Submission.Instance("p1-a-1", Secret.of(new byte[] {1, 2, 3})),
                    new Submission.Instance("p1-a-2", Secret.empty())));

    @Test
    void everythingThatIsAskedForArrives() throws IOException {
        assertThat(RemoteJobRequest.decode(RemoteJobRequest.encode(FULL))).isEqualTo(FULL);
    }

    @Test
    void whatIsNotSaidStaysUnsaid() throws IOException {
        Submission plain = Submission.of(NOTHING_SAID, "a", Secret.empty());
        assertThat(RemoteJobRequest.decode(RemoteJobRequest.encode(plain))).isEqualTo(plain);
    }

    @Test
    void bytesThatAreMissingOrTooManyAreRefused() {
        byte[] whole = RemoteJobRequest.encode(FULL).toArray();
        for (int length = 0; length < whole.length; length++) {
            Payload cut = Payload.of(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> RemoteJobRequest.decode(cut)).isInstanceOf(IOException.class);
        }
        assertThatThrownBy(() -> RemoteJobRequest.decode(Payload.of(Arrays.copyOf(whole, whole.length + 1))))
                .isInstanceOf(IOException.class)
                .hasMessage("1 bytes follow the end of a request for jobs.");
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        Payload noName = RemoteJobRequest.encode(Submission.of(NOTHING_SAID, "a", Secret.empty()));
        byte[] bytes = noName.toArray().clone();
        bytes[bytes.length - 2] = 'A';
        assertThatThrownBy(() -> RemoteJobRequest.decode(Payload.of(bytes)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Job name 'A'");
    }
}
