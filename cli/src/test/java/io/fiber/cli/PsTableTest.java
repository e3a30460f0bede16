// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.cli.run.Run;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What {@code fiber ps} shows a person. */
class PsTableTest {

    private static final Instant NOW = Instant.parse("2026-01-02T12:00:00Z");
    private static final String CONTAINER = "0123456789abcdef".repeat(4);
    private static final Run SHORT =
            run("k3f0q8m2v7ad", "local", Run.State.open("4711", "runs on localhost"), "java -jar app.jar");
    private static final Run LONG = run(
            "p0q0q8m2v7ad",
            "docker",
            new Run.State(CONTAINER, "exit code 7", 0, OptionalInt.of(7)),
            "java -cp " + "lib/library.jar:".repeat(20) + " my.Program\nword");

    private static Run run(String id, String backend, Run.State state, String command) {
        return new Run(id, backend, id, command, Run.Keeper.PLATFORM, NOW.minusSeconds(185), state, Map.of());
    }

    @Test
    void columnsAreAsWideAsWhatIsInThem() {
        assertThat(table(false).lines(List.of(SHORT)))
                .containsExactly(
                        "RUN            BACKEND   JOB    AGE   STATE               COMMAND",
                        "k3f0q8m2v7ad   local     4711   3m    runs on localhost   java -jar app.jar");
        assertThat(table(false).lines(List.of())).containsExactly("RUN   BACKEND   JOB   AGE   STATE   COMMAND");
    }

    @Test
    void aLineHasAtMostAHundredAndTwentyColumns() {
        List<String> lines = table(false).lines(List.of(SHORT, LONG));

        assertThat(lines).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(120));
        assertThat(lines.get(2))
                .hasSize(120)
                .startsWith("p0q0q8m2v7ad   docker    0123456789ab   3m    exit code 7         java -cp lib/")
                .endsWith("…");
    }

    @Test
    void restartsAreShownBeforeTheStateHoweverLongItIs() {
        String reason = "waits: " + "Resources ".repeat(8);
        Run again = run("k3f0q8m2v7ad", "slurm", new Run.State("7", "runs on n2", 3, OptionalInt.empty()), "java");
        Run waiting = run("k3f0q8m2v7ae", "slurm", new Run.State("7", reason, 12, OptionalInt.empty()), "java");

        assertThat(table(false).lines(List.of(again, waiting)))
                .anyMatch(line -> line.contains("   restart 3: runs on n2   "))
                .anyMatch(line ->
                        line.contains("   restart 12: waits: Resources Resources Resources Resources …   java"));
        assertThat(new PsTable(NOW, true, false).lines(List.of(waiting)).get(1)).contains("restart 12: " + reason);
    }

    @Test
    void nothingIsCutWhereThatIsAskedFor() {
        assertThat(new PsTable(NOW, true, false).lines(List.of(LONG)).get(1))
                .contains(CONTAINER)
                .endsWith(" my.Program word");
    }

    @Test
    void coloursTellOpenRunsFromFailedOnesAndTakeNoRoom() {
        List<String> plain = table(false).lines(List.of(SHORT, LONG));
        List<String> coloured = table(true).lines(List.of(SHORT, LONG));

        assertThat(coloured.get(1)).contains("\u001b[32mruns on localhost\u001b[0m   ");
        assertThat(coloured.get(2)).contains("\u001b[31mexit code 7\u001b[0m");
        assertThat(coloured.stream()
                        .map(line -> line.replaceAll("\u001b\\[\\d+m", ""))
                        .toList())
                .isEqualTo(plain);
    }

    private static PsTable table(boolean hasColour) {
        return new PsTable(NOW, false, hasColour);
    }
}
