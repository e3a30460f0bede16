// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.backend.JobOutput;
import io.fiber.spi.backend.JobRejectedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputSinksTest {

    @TempDir
    Path directory;

    @Test
    void bothStreamsOfAJobGoBehindWhatItsFileHas() throws IOException {
        Path logs = directory.resolve("a/b");
        Files.createDirectories(logs);
        Files.writeString(logs.resolve("job.log"), "before\n");
        OutputSinks sinks =
                OutputSinks.of(new JobOutput.Files(logs), "job", "FBR-1").orElseThrow();

        sinks.out().accept("one\n".getBytes(StandardCharsets.UTF_8));
        sinks.err().accept("two\n".getBytes(StandardCharsets.UTF_8));

        assertThat(logs.resolve("job.log")).hasContent("before\none\ntwo\n");
    }

    @Test
    void directoryThatCannotBeMadeIsRefused() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> OutputSinks.of(new JobOutput.Files(file.resolve("logs")), "job", "FBR-168"))
                .isInstanceOf(JobRejectedException.class)
                .hasMessageStartingWith(
                        "FBR-168 The directory '" + file.resolve("logs") + "' for the output of jobs cannot be made: ")
                .hasMessageEndingWith(". Name a directory that can be written.");
    }

    @Test
    void fileThatCannotBeWrittenEndsNoJob() throws IOException {
        OutputSinks sinks =
                OutputSinks.of(new JobOutput.Files(directory), "job", "FBR-1").orElseThrow();
        Files.createDirectory(directory.resolve("job.log"));

        sinks.out().accept("lost\n".getBytes(StandardCharsets.UTF_8));

        assertThat(directory.resolve("job.log")).isEmptyDirectory();
    }

    @Test
    void outputThatIsNotWantedHasNoSinks() {
        assertThat(OutputSinks.of(new JobOutput.None(), "job", "FBR-1")).isEmpty();
    }
}
