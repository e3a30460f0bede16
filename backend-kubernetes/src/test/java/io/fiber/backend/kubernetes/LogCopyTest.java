// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Lines of a log as the API server gives them. */
final class LogCopyTest {

    private static final String EARLY = "2026-01-01T10:00:00.000000001Z";
    private static final String LATE = "2026-01-01T10:00:00.000000002Z";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final LogCopy copy = new LogCopy(out);

    @Test
    void timeIsTakenOffAndOldLinesAreLeftOut() throws IOException {
        write(EARLY + " read before\n" + LATE + " new  line \n");
        assertThat(copy.resume()).isEqualTo(Instant.parse(LATE));
        write(EARLY + " read before\n" + LATE + " new  line \n" + LATE + " \n");

        assertThat(written()).isEqualTo("read before\nnew  line \n\n");
    }

    @Test
    void wordsOfTheServerAreNoLinesOfThePod() throws IOException {
        write("{\"kind\":\"Status\", \"message\":\"Get https://10.0.0.1:10250: connection refused\", \"code\":500}\n"
                + "unexpected\n" + LATE + " of the pod\n");

        assertThat(written()).isEqualTo("of the pod\n");
    }

    @Test
    void noByteIsLostAndNoneRepeated() throws IOException {
        assertThat(copy.resume()).isEqualTo(Instant.EPOCH);
        write(LATE + " a\n" + LATE + " b b\n" + LATE + " c c");
        copy.resume();
        write(LATE + " a\n" + LATE + " b b\n" + LATE + " c cc\n" + LATE + " \n");
        copy.resume();
        String all = LATE + " a\n" + LATE + " b b\n" + LATE + " c cc\n" + LATE + " \n" + LATE + " e";
        for (byte each : all.getBytes(StandardCharsets.UTF_8)) {
            copy.write(each);
        }

        assertThat(written()).isEqualTo("a\nb b\nc cc\n\ne");
    }

    @Test
    void connectionThatBringsLessThanWasKnownRepeatsNothing() throws IOException {
        write(LATE + " li");
        copy.resume();
        copy.resume();
        write(LATE + " l");
        copy.resume();
        write(LATE + " line 1\n" + LATE + " line 2\n");
        copy.resume();
        write(LATE + " line 1\n");
        copy.resume();
        write(LATE + " line 1\n" + LATE + " line 2\n" + LATE + " line 3\n");

        assertThat(written()).isEqualTo("line 1\nline 2\nline 3\n");
    }

    @Test
    void veryLongLineComesWithItsRestOrNotAtAll() throws IOException {
        String rest = "x".repeat(100_000);
        write(EARLY + " " + rest + "\n" + LATE + " short\n");
        copy.resume();
        write(EARLY + " " + rest + "\n" + LATE + " short\n");

        assertThat(written()).isEqualTo(rest + "\nshort\n");
    }

    private void write(String text) throws IOException {
        copy.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private String written() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
