// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.cli.doctor.Finding;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code fiber doctor} shows a person. */
class FindingLinesTest {

    @Test
    void longTextsHangUnderTheirBeginning() {
        Finding finding = new Finding(
                Finding.Level.FAULT,
                "shared memory",
                Optional.of("FBR-540"),
                "FBR-540 Only 1 MiB free in /dev/shm; a program needs more",
                Optional.of("free some, or make it larger: mount -o remount,size=256m"));

        assertThat(new FindingLines(60, false).of(finding))
                .containsExactly(
                        "FAULT  shared memory    FBR-540 Only 1 MiB free in /dev/shm;",
                        "                        a program needs more",
                        "                        -> free some, or make it larger:",
                        "                           mount -o remount,size=256m");
    }

    @Test
    void furtherLinesStayAsTheyAre() {
        Finding finding = new Finding(
                Finding.Level.NOTE,
                "backend kubernetes",
                Optional.empty(),
                "Apply this:\nkind: Role\n  rules: []",
                Optional.empty());

        assertThat(new FindingLines(60, false).of(finding))
                .containsExactly(
                        "note   backend kubernetes  Apply this:",
                        "                        kind: Role",
                        "                          rules: []");
    }

    @Test
    void aWordThatIsLongerThanALineStaysWhole() {
        String path = "/a".repeat(40);
        Finding finding =
                new Finding(Finding.Level.OK, "files", Optional.empty(), path + " can be written", Optional.empty());

        assertThat(new FindingLines(60, false).of(finding))
                .containsExactly("ok     files            " + path, "                        can be written");
    }

    @Test
    void levelsHaveColoursOnATerminal() {
        Finding finding = new Finding(Finding.Level.NOTE, "java", Optional.empty(), "17", Optional.empty());

        assertThat(new FindingLines(60, true).of(finding))
                .containsExactly("\u001b[33mnote\u001b[0m   java             17");
    }
}
