// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.backend;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spec.Resources;
import io.fiber.spec.Secret;
import io.fiber.spec.Volume;
import io.fiber.spi.backend.Capability;
import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import io.fiber.spi.backend.JobSpec;
import io.fiber.spi.backend.Program;
import io.fiber.spi.backend.Submission;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a backend does not offer is refused by {@link Submission#requireOffered}, each capability for itself. */
class RefusalTest {

    private static Submission submission(JobSpec.Builder spec) {
        return Submission.of(spec.build(), "train", Secret.of(new byte[0]));
    }

    private static JobSpec.Builder spec() {
        return JobSpec.builder(new Program.Command(List.of("true"))).output(new JobOutput.None());
    }

    @Test
    void eachFieldThatNeedsMoreThanIsOfferedIsNamed() {
        Resources nothing = Resources.unspecified();
        Map<Capability, Map.Entry<JobSpec.Builder, String>> wishes = Map.of(
                Capability.CONSOLE, Map.entry(spec().output(new JobOutput.Console()), "output=console"),
                Capability.CPU_LIMIT, Map.entry(spec().resources(Resources.cpus(1.5)), "cpus=1.5"),
                Capability.MEMORY_LIMIT, Map.entry(spec().resources(nothing.withMemory("64m")), "memoryBytes=67108864"),
                Capability.GPU, Map.entry(spec().resources(nothing.withGpus(2)), "gpus=2"),
                Capability.IMAGE, Map.entry(spec().image("debian:12"), "image=debian:12"),
                Capability.VOLUMES,
                        Map.entry(spec().volumes(List.of(Volume.of("a", "/b").readOnly())), "volumes=[a:/b:ro]"),
                Capability.TIME_LIMIT, Map.entry(spec().timeLimit(Duration.ofMinutes(2)), "timeLimit=PT2M"),
                Capability.RESTARTS, Map.entry(spec().restarts(3), "restarts=3"),
                Capability.WORKING_DIRECTORY,
                        Map.entry(spec().workingDirectory(Path.of("/tmp")), "workingDirectory=/tmp"));

        wishes.forEach((capability, wish) -> {
            Set<Capability> others = EnumSet.complementOf(EnumSet.of(capability));
            Submission submission = submission(wish.getKey());
            assertThatThrownBy(() -> submission.requireOffered("some", others))
                    .isInstanceOf(JobRejectedException.class)
                    .hasMessage("FBR-106 Process 'train' needs " + capability + " (" + wish.getValue()
                            + "); backend 'some' does not offer it. Leave it out, or choose a backend that offers "
                            + capability + ".");
            assertThatCode(() -> submission.requireOffered("some", EnumSet.of(capability)))
                    .doesNotThrowAnyException();
        });
    }

    @Test
    void whatNeedsNothingIsTakenByABackendThatOffersNothing() {
        assertThatCode(() -> submission(spec().labels(Map.of("team", "a"))).requireOffered("some", Set.of()))
                .doesNotThrowAnyException();
        assertThatCode(() -> submission(spec().output(new JobOutput.Files(Path.of("/tmp"))))
                        .requireOffered("some", Set.of(Capability.IMAGE)))
                .doesNotThrowAnyException();
    }
}
