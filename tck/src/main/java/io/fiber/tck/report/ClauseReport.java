// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes the result of each clause, for each backend and transport that was tested. JUnit's launcher finds it with
 * {@link java.util.ServiceLoader}. The directory is {@code target/fiber-tck}, or the value of the system property
 * {@value #DIRECTORY_PROPERTY}. Thread-safe.
 */
public final class ClauseReport implements TestExecutionListener {

    /** The system property with the directory of the reports. */
    public static final String DIRECTORY_PROPERTY = "fiber.tck.report";

    /** The key of the report entry with which a test names what is tested. */
    public static final String SUBJECT_KEY = "fiber.tck.subject";

    private static final Pattern NAME = Pattern.compile("\\[((?:BKD|TRN)-\\d{3})] (.*)");

    private final Map<String, String> subjects = new ConcurrentHashMap<>();
    private final Map<String, ClauseResult> results = new ConcurrentHashMap<>();

    /** Creates a listener, for JUnit. */
    public ClauseReport() {}

    @Override
    public void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        String subject = entry.getKeyValuePairs().get(SUBJECT_KEY);
        if (subject != null) {
            subjects.put(test.getUniqueId(), subject);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Matcher name = NAME.matcher(test.getDisplayName());
        if (!test.isTest() || !name.matches()) {
            return;
        }
        String reason = result.getThrowable()
                .map(Throwable::getMessage)
                .map(ClauseReport::onOneLine)
                .orElse("");
        String outcome = switch (result.getStatus()) {
            case SUCCESSFUL -> "passed";
            case ABORTED -> "skipped";
            case FAILED -> "failed";
        };
        results.put(
                test.getUniqueId(), new ClauseResult(name.group(1), name.group(2), testClass(test), outcome, reason));
    }

    /** Returns the author's class: the outermost one, in which the kit's groups are nested. */
    private static String testClass(TestIdentifier test) {
        return test.getUniqueIdObject().getSegments().stream()
                .filter(segment -> segment.getType().equals("class"))
                .map(UniqueId.Segment::getValue)
                .findFirst()
                .orElse("unknown");
    }

    private static String onOneLine(String text) {
        return text.replaceAll("\\s*\\R\\s*", " ")
                .replaceFirst("^Assumption failed: ", "")
                .trim();
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        Map<String, List<ClauseResult>> bySubject = results.entrySet().stream()
                .filter(entry -> subjects.containsKey(entry.getKey()))
                .collect(Collectors.groupingBy(
                        entry -> subjects.getOrDefault(entry.getKey(), ""),
                        Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
        Path directory = Path.of(System.getProperty(DIRECTORY_PROPERTY, "target/fiber-tck"));
        bySubject.forEach((subject, rows) -> write(directory, subject, rows));
    }

    private static void write(Path directory, String subject, List<ClauseResult> rows) {
        List<ClauseResult> sorted = rows.stream()
                .sorted(Comparator.comparing(ClauseResult::clause).thenComparing(ClauseResult::testClass))
                .toList();
        try {
            Files.createDirectories(directory);
            Files.writeString(directory.resolve(subject + ".md"), markdown(subject, sorted));
            Files.writeString(directory.resolve(subject + ".json"), json(subject, sorted));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write the report of '" + subject + "' into " + directory + ".", e);
        }
    }

    private static String markdown(String subject, List<ClauseResult> rows) {
        Map<String, Long> counts =
                rows.stream().collect(Collectors.groupingBy(ClauseResult::outcome, Collectors.counting()));
        StringBuilder text = new StringBuilder("# Contract of '" + subject + "'\n\n")
                .append(counts.getOrDefault("passed", 0L))
                .append(" passed, ")
                .append(counts.getOrDefault("failed", 0L))
                .append(" failed, ")
                .append(counts.getOrDefault("skipped", 0L))
                .append(" skipped.\n\n")
                .append("| clause | result | what it says | reason | tested by |\n|---|---|---|---|---|\n");
        for (ClauseResult row : rows) {
            text.append("| ")
                    .append(row.clause())
                    .append(" | ")
                    .append(row.outcome())
                    .append(" | ")
                    .append(cell(row.says()))
                    .append(" | ")
                    .append(cell(row.reason()))
                    .append(" | ")
                    .append(row.testClass())
                    .append(" |\n");
        }
        return text.toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|");
    }

    private static String json(String subject, List<ClauseResult> rows) {
        return rows.stream()
                .map(ClauseResult::json)
                .collect(Collectors.joining(
                        ",\n    ",
                        "{\n  \"subject\": " + ClauseResult.quote(subject) + ",\n  \"clauses\": [\n    ",
                        "\n  ]\n}\n"));
    }
}
