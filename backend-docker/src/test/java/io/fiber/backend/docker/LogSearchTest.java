// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogSearchTest {

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

    private static LogSearch searched(String cameBefore, List<String> log) {
        StreamTail tail = new StreamTail();
        for (int at = 0; at < cameBefore.length(); at += 1000) {
            tail.add(bytes(cameBefore.substring(at, Math.min(cameBefore.length(), at + 1000))));
        }
        LogSearch search = tail.search();
        log.forEach(entry -> search.take(bytes(entry)));
        return search;
    }

    /** What is read of a log from a place on. */
    private static String rest(LogSearch.Place place, List<String> log) {
        LogPosition position = place.position();
        position.rewind();
        StringBuilder rest = new StringBuilder();
        List<byte[]> pieces = new ArrayList<>();
        log.forEach(entry -> position.read(bytes(entry)).ifPresent(pieces::add));
        pieces.forEach(piece -> rest.append(new String(piece, StandardCharsets.UTF_8)));
        return rest.substring(place.known());
    }

    private static String restAfter(String cameBefore, List<String> log) {
        return rest(searched(cameBefore, log).place().orElseThrow(), log);
    }

    @Test
    void logGoesOnWhereTheStreamWasLeft() {
        List<String> log = log(0, numbers(0, 2000));

        assertThat(restAfter(String.join("", numbers(0, 1500)), log)).isEqualTo(String.join("", numbers(1500, 2000)));
        assertThat(restAfter("", log)).isEqualTo(String.join("", numbers(0, 2000)));
        assertThat(restAfter("lin", log))
                .isEqualTo(String.join("", numbers(0, 2000)).substring(3));
        assertThat(restAfter(String.join("", numbers(0, 1500)) + "li", log))
                .isEqualTo(String.join("", numbers(1500, 2000)).substring(2));
        assertThat(searched(String.join("", numbers(0, 2000)), log).isAtEnd()).isTrue();
        assertThat(searched(String.join("", numbers(0, 1999)), log).isAtEnd()).isFalse();
    }

    @Test
    void placeIsFoundInALogWhoseBeginningIsGone() {
        List<String> log = log(1000, numbers(1000, 6000));

        assertThat(restAfter(String.join("", numbers(0, 5000)), log)).isEqualTo(String.join("", numbers(5000, 6000)));
    }

    @Test
    void linesThatAreGoneAreNotFound() {
        LogSearch search = searched(String.join("", numbers(0, 1000)), log(3000, numbers(3000, 4000)));

        assertThat(search.place()).isEmpty();
        assertThat(search.isAtEnd()).isFalse();
    }

    @Test
    void amongLinesThatAreAllTheSameTheNumberOfBytesDecides() {
        List<String> ticks = IntStream.range(0, 5000).mapToObj(i -> "tick\n").toList();
        List<String> log = log(0, ticks);

        assertThat(restAfter("tick\n".repeat(4000), log)).isEqualTo("tick\n".repeat(1000));
        assertThat(searched("tick\n".repeat(5000), log).isAtEnd()).isTrue();
        // The beginning is gone.
        assertThat(searched("tick\n".repeat(9000), log).isAtEnd()).isTrue();
    }

    @Test
    void longLineWithoutAnEndIsNoReasonToReadTheLogAgain() {
        String line = "x".repeat(100_000);
        List<String> parts = new ArrayList<>();
        for (int at = 0; at < line.length(); at += 16_384) {
            parts.add(line.substring(at, Math.min(line.length(), at + 16_384)));
        }

        assertThat(searched(line, log(0, parts)).isAtEnd()).isTrue();
        assertThat(restAfter(line.substring(0, 50_000), log(0, parts))).hasSize(50_000);
    }
}
