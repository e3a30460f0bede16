// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.support.LineStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines of a log as the API server gives them. */
final class StampedLinesTest {

    private static final String EARLY = "2026-01-01T10:00:00.000000001Z";
    private static final String LATE = "2026-01-01T10:00:00.000000002Z";

    private final List<String> passed = new ArrayList<>();
    private final StampedLines lines = new StampedLines(
            time -> time.equals(Instant.parse(LATE)), line -> passed.add(new String(line, StandardCharsets.UTF_8)));
    private final LineStream stream = new LineStream(lines);

    @Test
    void timeIsTakenOffAndOldLinesAreLeftOut() {
        write(EARLY + " read before\n" + LATE + " new  line \n" + LATE + " \n");

        assertThat(passed).containsExactly("new  line \n", "\n");
    }

    @Test
    void wordsOfTheServerAreNoLinesOfThePod() {
        write("{\"kind\":\"Status\", \"message\":\"Get https://10.0.0.1:10250: connection refused\", \"code\":500}\n"
                + "unexpected\n" + LATE + " of the pod\n");

        assertThat(passed).containsExactly("of the pod\n");
    }

    @Test
    void veryLongLineComesWithItsRestOrNotAtAll() {
        String rest = "x".repeat(LineStream.LONGEST_LINE_BYTES);

        write(EARLY + " " + rest + "\n" + LATE + " " + rest + "\n" + LATE + " short\n");

        String beginning = rest.substring(LATE.length() + 1);
        assertThat(passed).containsExactly(beginning + "\n", "x".repeat(LATE.length() + 1) + "\n", "short\n");
    }

    private void write(String text) {
        stream.add(text.getBytes(StandardCharsets.UTF_8));
    }
}
