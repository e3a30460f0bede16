// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.remotejobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.runtime.process.JobChoices;
import io.fiber.runtime.protocol.Payload;
import io.fiber.spi.Resources;
import io.fiber.spi.Secret;
import io.fiber.spi.backend.Submission;
import io.fiber.spi.backend.Volume;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RemoteJobRequestTest {

    private static final JobChoices NOTHING_SAID = new JobChoices(
            Map.of(), Optional.empty(), List.of(), Map.of(), Optional.empty(), Optional.empty(), Map.of());

    private static final RemoteJobRequest FULL = new RemoteJobRequest(
            Resources.cpus(1.5).withMemory("2g").withGpus(3),
            new JobChoices(
                    Map.of("PLACE", "Zürich", "EMPTY", ""),
                    Optional.of("eclipse-temurin:21-jre"),
                    List.of(
                            new Volume("data", "/data", Volume.Access.READ_ONLY),
                            new Volume("out", "/out", Volume.Access.READ_WRITE)),
                    Map.of("team", "one"),
                    Optional.of(Path.of("/work")),
                    Optional.of(Duration.ofMinutes(90)),
                    Map.of("slurm.partition", "gpu")),
            List.of(
                    new Submission.Instance("p1-a-1", Secret.of(new byte[] {1, 2, 3})),
                    new Submission.Instance("p1-a-2", Secret.empty())));

    @Test
    void everythingThatIsAskedForArrives() throws IOException {
        assertThat(RemoteJobRequest.decode(FULL.encode())).isEqualTo(FULL);
    }

    @Test
    void whatIsNotSaidStaysUnsaid() throws IOException {
        RemoteJobRequest plain = new RemoteJobRequest(
                Resources.unspecified(), NOTHING_SAID, List.of(new Submission.Instance("a", Secret.empty())));
        assertThat(RemoteJobRequest.decode(plain.encode())).isEqualTo(plain);
    }

    @Test
    void bytesThatAreMissingOrTooManyAreRefused() {
        byte[] whole = FULL.encode().toArray();
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
        Payload noName = new RemoteJobRequest(
                        Resources.unspecified(), NOTHING_SAID, List.of(new Submission.Instance("a", Secret.empty())))
                .encode();
        byte[] bytes = noName.toArray().clone();
        bytes[bytes.length - 2] = 'A';
        assertThatThrownBy(() -> RemoteJobRequest.decode(Payload.of(bytes)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Job name 'A'");
    }
}
