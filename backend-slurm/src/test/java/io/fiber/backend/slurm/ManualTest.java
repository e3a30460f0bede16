// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page about Slurm shows nothing that no test runs. */
@Tag("documentation")
class ManualTest {

    @Test
    void everySnippetIsRunByTheKits() throws IOException {
        List<String> run = List.of(
                Manual.ON_A_LOGIN_NODE,
                Manual.JOB,
                Manual.RESTARTED,
                Manual.REQUEUED_JOB,
                Manual.FROM_OUTSIDE,
                Manual.LOOK,
                Manual.CONFIGURATION);

        List<String> snippets = Manual.snippets(Files.readString(Path.of("..", "docs", Manual.PAGE)));

        assertThat(snippets)
                .hasSameSizeAs(run)
                .allSatisfy(snippet -> assertThat(run).anyMatch(snippet::startsWith));
    }
}
