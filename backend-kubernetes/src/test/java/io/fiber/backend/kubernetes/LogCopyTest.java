// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.backend.kubernetes.LogCopy.Previous;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Lines of a log as the API server gives them. */
final class LogCopyTest {

    private static final String EARLY = "2026-01-01T10:00:00.000000001Z";
    private static final String LATE = "2026-01-01T10:00:00.000000002Z";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<String> gaps = new ArrayList<>();
    private final AtomicLong clock = new AtomicLong();
    private final LogCopy copy = new LogCopy(
            out,
            new LogCopy.Gaps() {
                @Override
                public void begins(Instant first) {
                    gaps.add("begins " + first);
                }

                @Override
                public void mayBeMissing(Instant after, Instant before) {
                    gaps.add(after + " " + before);
                }
            },
            clock::get);
    private LogCopy.Connection connection = connect(Previous.COMPLETE);

    private LogCopy.Connection connect(Previous how) {
        connection = copy.connect(how).orElseThrow();
        return connection;
    }

    private static String at(int second) {
        return Instant.parse("2026-01-01T10:00:00Z").plusSeconds(second).toString();
    }

    /** A line of a second; the clock shows the same second. */
    private void writeAt(int second, int bytes) throws IOException {
        clock.set(TimeUnit.SECONDS.toNanos(second));
        write(at(second) + " " + "x".repeat(bytes) + "\n");
    }

    private void connectAt(int second, Previous how) {
        clock.set(TimeUnit.SECONDS.toNanos(second));
        connect(how);
    }

    @Test
    void silentConnectionOfALongLogIsReplacedTwice() throws IOException {
        writeAt(0, 400_000);
        assertThat(copy.lookAfterNs()).as("a short log").isEmpty();

        writeAt(1, 400_000);
        assertThat(copy.lookAfterNs()).hasValue(TimeUnit.SECONDS.toNanos(5));
        connectAt(6, Previous.SILENT);
        assertThat(copy.lookAfterNs()).hasValue(TimeUnit.SECONDS.toNanos(8));
        connectAt(14, Previous.SILENT);
        assertThat(copy.lookAfterNs()).isEmpty();

        write(at(1) + " " + "x".repeat(400_000) + "\n");
        writeAt(100, 1);
        assertThat(copy.lookAfterNs()).hasValue(TimeUnit.SECONDS.toNanos(5));
        assertThat(gaps).containsExactly("begins " + at(0));
    }

    @Test
    void shortLogMayPause() throws IOException {
        writeAt(0, 10);
        writeAt(100, 10);
        connectAt(200, Previous.BROKEN);
        writeAt(100, 10);
        writeAt(300, 10);

        assertThat(gaps).containsExactly("begins " + at(0));
    }

    @Test
    void nextFileThatIsFoundInTimeLacksNothing() throws IOException {
        writeAt(0, 600_000);
        connectAt(5, Previous.SILENT);
        writeAt(6, 10);

        assertThat(copy.lookAfterNs()).as("a new file").isEmpty();
        assertThat(gaps).containsExactly("begins " + at(0));
    }

    @Test
    void fileBetweenTwoOthersIsMissed() throws IOException {
        writeAt(0, 600_000);
        writeAt(20, 600_000);
        connectAt(40, Previous.SILENT);
        writeAt(41, 10);

        assertThat(gaps).containsExactly("begins " + at(0), at(0) + " " + at(20), at(20) + " " + at(41));
    }

    @Test
    void restOfAFileIsMissedWhenTheConnectionToItBroke() throws IOException {
        writeAt(0, 10);
        connectAt(1, Previous.BROKEN);
        writeAt(2, 10);
        assertThat(gaps).containsExactly("begins " + at(0), at(0) + " " + at(2));
    }

    @Test
    void connectionThatBreaksWhileNothingIsInTheFileMissesNothing() throws IOException {
        writeAt(0, 600_000);
        connectAt(5, Previous.SILENT);
        connectAt(13, Previous.SILENT);
        connectAt(300, Previous.BROKEN);
        writeAt(301, 10);

        assertThat(gaps).containsExactly("begins " + at(0));
    }

    @Test
    void whatAReplacedConnectionStillBringsIsIgnored() throws IOException {
        LogCopy.Connection left = connection;
        write(EARLY + " a\n");
        connect(Previous.SILENT);
        left.write((LATE + " b\n").getBytes(StandardCharsets.UTF_8));
        write(EARLY + " a\n" + LATE + " b\n");

        assertThat(written()).isEqualTo("a\nb\n");
    }

    @Test
    void timeIsTakenOffAndOldLinesAreLeftOut() throws IOException {
        write(EARLY + " read before\n" + LATE + " new  line \n");
        assertThat(connect(Previous.BROKEN).since()).isEqualTo(Instant.parse(LATE));
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
        assertThat(connection.since()).isEqualTo(Instant.EPOCH);
        write(LATE + " a\n" + LATE + " b b\n" + LATE + " c c");
        connect(Previous.BROKEN);
        write(LATE + " a\n" + LATE + " b b\n" + LATE + " c cc\n" + LATE + " \n");
        connect(Previous.BROKEN);
        String all = LATE + " a\n" + LATE + " b b\n" + LATE + " c cc\n" + LATE + " \n" + LATE + " e";
        for (byte each : all.getBytes(StandardCharsets.UTF_8)) {
            connection.write(each);
        }

        assertThat(written()).isEqualTo("a\nb b\nc cc\n\ne");
    }

    @Test
    void fileThatIsReadAgainOnTheSameConnectionRepeatsNothing() throws IOException {
        String early = at(10) + " first\n" + at(11) + " second\n";
        write(early + at(12) + " third\n");
        write(early + at(12) + " th");
        write("ird\n" + at(12) + " fourth\n");
        write(early + at(12) + " third\n" + at(12) + " fourth\n" + at(13) + " fifth\n");

        assertThat(out).hasToString("first\nsecond\nthird\nfourth\nfifth\n");
        assertThat(gaps).containsExactly("begins " + at(10));
    }

    @Test
    void linesOfTwoStreamsMayChangePlaces() throws IOException {
        write(LATE + " error\n" + EARLY + " output\n" + LATE + " last\n");

        assertThat(out).hasToString("error\noutput\nlast\n");
    }

    @Test
    void lineWhoseRestIsGoneEndsWhereTheNextOneBegins() throws IOException {
        write(at(0) + " whole\n" + at(1) + " ha");
        connect(Previous.SILENT);
        write(at(2) + " next\n");

        connect(Previous.BROKEN);
        write(at(2) + " ne");
        connect(Previous.BROKEN);
        write(at(2) + " next\n" + at(3) + " last\n");

        assertThat(out).hasToString("whole\nha\nnext\nlast\n");
        assertThat(gaps).containsExactly("begins " + at(0), at(1) + " " + at(2));
    }

    @Test
    void connectionThatBringsLessThanWasKnownRepeatsNothing() throws IOException {
        write(LATE + " li");
        connect(Previous.BROKEN);
        connect(Previous.BROKEN);
        write(LATE + " l");
        connect(Previous.BROKEN);
        write(LATE + " line 1\n" + LATE + " line 2\n");
        connect(Previous.BROKEN);
        write(LATE + " line 1\n");
        connect(Previous.BROKEN);
        write(LATE + " line 1\n" + LATE + " line 2\n" + LATE + " line 3\n");

        assertThat(written()).isEqualTo("line 1\nline 2\nline 3\n");
    }

    @Test
    void veryLongLineComesWithItsRestOrNotAtAll() throws IOException {
        String rest = "x".repeat(100_000);
        write(EARLY + " " + rest + "\n" + LATE + " short\n");
        connect(Previous.BROKEN);
        write(EARLY + " " + rest + "\n" + LATE + " short\n");

        assertThat(written()).isEqualTo(rest + "\nshort\n");
    }

    private void write(String text) throws IOException {
        connection.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private String written() {
        return out.toString(StandardCharsets.UTF_8);
    }
}
