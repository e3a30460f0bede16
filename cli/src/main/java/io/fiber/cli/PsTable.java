// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.run.Run;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Runs as a table for a person, as {@code docker ps} shows containers: each column is as wide as its widest cell, and a line
 * has at most {@value #WIDTH} columns.
 *
 * @param now the time to which ages are counted
 * @param isWhole whether nothing is cut
 * @param hasColour whether states have colours
 */
record PsTable(Instant now, boolean isWhole, boolean hasColour) {

    static final int WIDTH = 120;

    private static final List<String> HEAD = List.of("RUN", "BACKEND", "JOB", "AGE", "STATE", "COMMAND");
    private static final String GAP = "   ";
    private static final int STATE = HEAD.indexOf("STATE");
    private static final int COMMAND = HEAD.indexOf("COMMAND");
    private static final int JOB_WIDTH = 20;
    private static final int LEAST_COMMAND_WIDTH = 20;

    /** Docker's ids; people use their first twelve digits. */
    private static final Pattern LONG_ID = Pattern.compile("[0-9a-f]{64}");

    private static final int SHORT_ID = 12;

    List<String> lines(List<Run> runs) {
        List<List<String>> rows = new ArrayList<>(List.of(HEAD));
        runs.forEach(run -> rows.add(cells(run)));
        int[] widths = new int[COMMAND];
        int left = WIDTH - LEAST_COMMAND_WIDTH;
        for (int i = 0; i < COMMAND; i++) {
            int column = i;
            int widest = rows.stream()
                    .mapToInt(row -> row.get(column).length())
                    .max()
                    .orElse(0);
            widths[i] = i == STATE && !isWhole ? Math.min(widest, left - GAP.length()) : widest;
            left -= widths[i] + GAP.length();
        }
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            lines.add(line(rows.get(i), widths, i == 0 ? Terminal.Style.PLAIN : style(runs.get(i - 1))));
        }
        return lines;
    }

    private List<String> cells(Run run) {
        String job = run.state().job();
        return List.of(
                run.id(),
                run.backend(),
                !isWhole && LONG_ID.matcher(job).matches() ? job.substring(0, SHORT_ID) : cut(job, JOB_WIDTH),
                age(Duration.between(run.started(), now)),
                state(run),
                run.command().replaceAll("\\p{Cntrl}", " "));
    }

    private static String state(Run run) {
        int restarts = run.state().restarts();
        return (restarts > 0 ? "restart " + restarts + ": " : "") + run.words();
    }

    private String line(List<String> cells, int[] widths, Terminal.Style style) {
        StringBuilder line = new StringBuilder();
        int used = 0;
        for (int i = 0; i < COMMAND; i++) {
            String cell = cut(cells.get(i), widths[i]);
            line.append(i == STATE && hasColour ? style.of(cell) : cell)
                    .append(" ".repeat(widths[i] - cell.length()))
                    .append(GAP);
            used += widths[i] + GAP.length();
        }
        return line.append(cut(cells.get(COMMAND), Math.max(LEAST_COMMAND_WIDTH, WIDTH - used)))
                .toString();
    }

    private String cut(String text, int width) {
        return isWhole || text.length() <= width ? text : text.substring(0, width - 1) + "…";
    }

    private static Terminal.Style style(Run run) {
        if (!run.isOver()) {
            return Terminal.Style.GREEN;
        }
        return run.state().exitCode().orElse(1) == 0 ? Terminal.Style.PLAIN : Terminal.Style.RED;
    }

    private static String age(Duration age) {
        if (age.toDays() > 0) {
            return age.toDays() + "d";
        }
        if (age.toHours() > 0) {
            return age.toHours() + "h";
        }
        return age.toMinutes() > 0 ? age.toMinutes() + "m" : age.toSeconds() + "s";
    }
}
