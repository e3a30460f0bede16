// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where a stream was left is found in the log, and reading continues there. */
class LineTrailTest {

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The entries of lines as a log has them, one in each nanosecond from {@code first} on. */
    private static List<String> log(int first, List<String> lines) {
        return IntStream.range(0, lines.size())
                .mapToObj(i -> "2026-11-22T02:00:01.%09dZ %s".formatted(first + i, lines.get(i)))
                .toList();
    }

    private static List<String> numbers(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "line " + i + "\n").toList();
    }

    private static String joined(int from, int to) {
        return String.join("", numbers(from, to));
    }

    /** Returns what is read of a log after these bytes of the stream; empty if the log does not have their end. */
    private static Optional<String> rest(byte[] stream, List<String> log) {
        LineTrail trail = new LineTrail();
        trail.add(stream);
        LineTrail.Search search = trail.search();
        log.forEach(entry -> search.add(bytes(entry)));
        return search.position().map(position -> {
            LogPosition.expectReplay(position, new LogPosition());
            List<String> rest = new ArrayList<>();
            log.forEach(entry ->
                    position.read(bytes(entry)).ifPresent(text -> rest.add(new String(text, StandardCharsets.UTF_8))));
            return String.join("", rest);
        });
    }

    private static Optional<String> rest(String stream, List<String> log) {
        return rest(bytes(stream), log);
    }

    @Test
    void logGoesOnWhereTheStreamWasLeft() {
        List<String> log = log(0, numbers(0, 2000));

        assertThat(rest(joined(0, 1500), log)).hasValue(joined(1500, 2000));
        assertThat(rest("", log)).hasValue(joined(0, 2000));
        assertThat(rest(joined(0, 2000), log)).hasValue("");
        assertThat(rest("lin", log)).hasValue(joined(0, 2000).substring(3));
        assertThat(rest(joined(0, 1500) + "li", log))
                .hasValue(joined(1500, 2000).substring(2));
    }

    @Test
    void placeIsFoundInALogWhoseBeginningIsGone() {
        assertThat(rest(joined(0, 5000), log(1000, numbers(1000, 6000)))).hasValue(joined(5000, 6000));
    }

    @Test
    void linesThatAreGoneAreNotFound() {
        assertThat(rest(joined(0, 1000), log(3000, numbers(3000, 4000)))).isEmpty();
    }

    @Test
    void amongLinesThatAreAllTheSameTheirNumberDecides() {
        List<String> log = log(0, Collections.nCopies(5000, "tick\n"));

        assertThat(rest("tick\n".repeat(4000), log)).hasValue("tick\n".repeat(1000));
        assertThat(rest("tick\n".repeat(5000), log)).hasValue("");
        // The beginning is gone.
        assertThat(rest("tick\n".repeat(9000), log)).hasValue("");
    }

    @Test
    void longLineGoesOnInItsMiddle() {
        String line = "x".repeat(100_000);
        List<String> parts = new ArrayList<>();
        for (int at = 0; at < line.length(); at += 16_384) {
            parts.add(line.substring(at, Math.min(line.length(), at + 16_384)));
        }
        parts.add("\n");

        assertThat(rest(line + "\n", log(0, parts))).hasValue("");
        assertThat(rest(line.substring(0, 50_000), log(0, parts))).hasValue("x".repeat(50_000) + "\n");
    }

    /** The log driver json-file replaces each byte that is not UTF-8, and Java a sequence of them at once. */
    @Test
    void bytesThatTheLogHasNotKeptAreNoDifference() {
        Charset latin = StandardCharsets.ISO_8859_1;
        String line = "Gr\u00f6\u00dfe: 5 \u00b0C\n";
        List<String> log = log(0, Collections.nCopies(20, "Gr\ufffd\ufffde: 5 \ufffdC\n"));

        assertThat(rest(line.repeat(20).getBytes(latin), log)).hasValue("");
        assertThat(rest(line.repeat(18).getBytes(latin), log)).hasValue("Gr\ufffd\ufffde: 5 \ufffdC\n".repeat(2));
    }
}
