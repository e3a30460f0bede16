// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.slurm;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What sacct says of elements of an array. */
final class AccountingRow {

    /** The fields of one row, for sacct's -o; a separator is between them. */
    static final String FORMAT = "jobid,state,exitcode,nodelist";

    private static final int FIELDS = 4;
    private static final Pattern ELEMENT = Pattern.compile("\\d+(_\\d+)?");
    /** Elements that never ran are one row together: {@code 7_[3-5,8%2]}. */
    private static final Pattern ELEMENTS = Pattern.compile("(\\d+)_\\[([\\d,-]+)(?:%\\d+)?]");

    private static final Pattern RANGE = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9}))?");

    private AccountingRow() {}

    /** Reads one line: a row for each element that it speaks of; none for a line that is none of elements. */
    static Stream<QueueRow> parse(String line) {
        List<String> fields = List.of(line.strip().split("\\|", -1));
        if (fields.size() < FIELDS) {
            return Stream.empty();
        }
        // The user that cancelled a job follows the state: CANCELLED by 1000.
        String state = fields.get(1).split(" ", 2)[0];
        int waitStatus = QueueRow.waitStatus(fields.get(2));
        String nodes = fields.get(3).equals("None assigned") ? "" : fields.get(3);
        return ids(fields.get(0)).map(id -> new QueueRow(id, state, waitStatus, "None", nodes));
    }

    private static Stream<String> ids(String text) {
        if (ELEMENT.matcher(text).matches()) {
            return Stream.of(text);
        }
        Matcher elements = ELEMENTS.matcher(text);
        return elements.matches()
                ? Stream.of(elements.group(2).split(",", -1))
                        .flatMap(range -> numbers(range).mapToObj(number -> elements.group(1) + "_" + number))
                : Stream.empty();
    }

    private static IntStream numbers(String text) {
        Matcher range = RANGE.matcher(text);
        if (!range.matches()) {
            return IntStream.empty();
        }
        int first = Integer.parseInt(range.group(1));
        return IntStream.rangeClosed(first, range.group(2) == null ? first : Integer.parseInt(range.group(2)));
    }
}
