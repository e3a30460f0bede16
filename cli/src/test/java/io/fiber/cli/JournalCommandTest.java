// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.TaskRunner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class JournalCommandTest {

    @TempDir
    Path tmp;

    private static int score(int x) {
        return x;
    }

    @Test
    void callsAreListedWithTheirResultsWhileAProgramWritesThem() throws Exception {
        Path journal = tmp.resolve("sweep.journal");
        Path empty = Files.createDirectory(tmp.resolve("empty"));
        try (Fiber fiber = Fiber.builder().backend("local").open();
                Pool pool = fiber.pool(1)) {
            TaskRunner durable = pool.with(CallOptions.defaults().journal(journal));
            durable.map(JournalCommandTest::score, List.of(1, 2, 3));
            durable.map(JournalCommandTest::score, List.of(1));
            int single = durable.apply(JournalCommandTest::score, 7);
            assertThat(single).isEqualTo(7);

            Cli.Result shown = Cli.in(empty).run("journal", journal.toString());

            assertThat(shown.err()).isEmpty();
            String time = "\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  ";
            assertThat(shown.out())
                    .matches("BEGUN             RESULTS                    CALL\n"
                            + time + "1 +io.fiber.cli.JournalCommandTest::score, single tasks\n"
                            + time + "3 of 3 +io.fiber.cli.JournalCommandTest::score\n"
                            + time + "1 of 1 +io.fiber.cli.JournalCommandTest::score, call 2\n"
                            + "\\d+ bytes\n");
            assertThat(shown.code()).isZero();
        }
    }

    @Test
    void otherFilesAreAnErrorThatSaysSo() throws Exception {
        Path table = Files.writeString(tmp.resolve("table.csv"), "a,b\n");
        Path empty = Files.createDirectory(tmp.resolve("empty"));

        Cli.Result shown = Cli.in(empty).run("journal", table.toString());

        assertThat(shown.code()).isEqualTo(1);
        assertThat(shown.err())
                .startsWith("fiber: FBR-582 The file '" + table + "' ")
                .contains("is not a journal");
    }
}
