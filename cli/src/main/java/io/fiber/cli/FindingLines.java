// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import io.fiber.cli.doctor.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Findings of the doctor for a person: the level, the subject, the text, and below it what to do. Long texts are wrapped with a
 * hanging indent.
 *
 * @param width how many columns a line may take; a longer word stays whole
 * @param hasColour whether levels have colours
 */
record FindingLines(int width, boolean hasColour) {

    private static final int LEVEL_WIDTH = 5;
    private static final int SUBJECT_WIDTH = 15;
    private static final String INDENT = " ".repeat(LEVEL_WIDTH + SUBJECT_WIDTH + 4);
    private static final String FIX = "-> ";

    List<String> of(Finding finding) {
        String level = finding.level() == Finding.Level.FAULT
                ? "FAULT"
                : finding.level().name().toLowerCase(Locale.ROOT);
        String head = padded(level, LEVEL_WIDTH) + "  " + padded(finding.subject(), SUBJECT_WIDTH) + "  ";
        List<String> text = finding.text().lines().toList();
        List<String> lines = wrapped(head, text.isEmpty() ? "" : text.get(0), INDENT);
        // What follows is laid out: the YAML of a role, or the last lines of a job.
        text.stream().skip(1).forEach(line -> lines.add(INDENT + line));
        finding.fix().ifPresent(fix -> lines.addAll(wrapped(INDENT + FIX, fix, INDENT + " ".repeat(FIX.length()))));
        if (hasColour) {
            lines.set(0, style(finding.level()).of(level) + lines.get(0).substring(level.length()));
        }
        return lines;
    }

    private List<String> wrapped(String head, String text, String indent) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(head);
        boolean isFirst = true;
        for (String word : text.split(" ", -1)) {
            if (!isFirst && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                isFirst = true;
            }
            line.append(isFirst ? "" : " ").append(word);
            isFirst = false;
        }
        lines.add(line.toString());
        return lines;
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }

    private static Terminal.Style style(Finding.Level level) {
        return switch (level) {
            case OK -> Terminal.Style.GREEN;
            case NOTE -> Terminal.Style.YELLOW;
            case FAULT -> Terminal.Style.RED;
        };
    }
}
