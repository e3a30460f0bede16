// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LastLinesTest {

    private final LastLines kept = new LastLines();
    private final List<String> seen = new ArrayList<>();

    private LineStream stream(String name) {
        return kept.stream(line -> seen.add(name + " " + new String(line, StandardCharsets.UTF_8)));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void piecesOfTwoStreamsBecomeWholeLines() {
        LineStream out = stream("out");
        LineStream err = stream("err");

        out.add(bytes("on"));
        err.add(bytes("oops\n"));
        out.add(bytes("e\n\ntwo"));
        out.end();
        err.end();

        assertThat(seen).containsExactly("err oops\n", "out one\n", "out \n", "out two\n");
        assertThat(kept.last(3)).containsExactly("one", "", "two");
        assertThat(kept.last(0)).isEmpty();
    }

    @Test
    void partOfAnArrayIsAPiece() {
        LineStream out = stream("out");
        byte[] bytes = bytes("xxa\nbxx");

        out.add(bytes, 2, 3);
        bytes[4] = 'c';
        out.end();

        assertThat(seen).containsExactly("out a\n", "out b\n");
    }

    @Test
    void lastLinesAreKeptUpToALimitOfLines() {
        LineStream out = kept.stream();
        for (int i = 0; i < 1000; i++) {
            out.add(bytes(i + "\n"));
        }

        assertThat(kept.last(5000))
                .hasSize(LastLines.MOST_LINES)
                .startsWith("800")
                .endsWith("999");
    }

    @Test
    void lastLinesAreKeptUpToALimitOfBytes() {
        LineStream out = kept.stream();
        for (int i = 0; i < 20; i++) {
            out.add(bytes(i % 10 + "x".repeat(9_999) + "\n"));
        }

        assertThat(kept.last(20)).hasSize(6).allMatch(line -> line.length() == 10_000);
    }

    @Test
    void veryLongLineIsPassedOnInParts() {
        LineStream out = stream("out");
        String whole = "y".repeat(LineStream.LONGEST_LINE_BYTES);

        out.add(bytes("y"));
        out.add(bytes(whole + whole + "z\nshort\n"));

        assertThat(seen).containsExactly("out " + whole + "\n", "out " + whole + "\n", "out yz\n", "out short\n");
    }

    @Test
    void linesAreReadInTheirCharset() {
        LastLines latin = new LastLines(StandardCharsets.ISO_8859_1);

        latin.stream().add(new byte[] {(byte) 0xe4, '\n'});

        assertThat(latin.last(1)).containsExactly("\u00e4");
    }
}
