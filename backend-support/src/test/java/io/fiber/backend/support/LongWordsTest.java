// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class LongWordsTest {

    @Test
    void aWordIsLongFromWhereLinuxRefusesIt() {
        String longest = "x".repeat(LongWords.MOST_BYTES);

        assertThat(LongWords.areIn(List.of("java", longest), StandardCharsets.UTF_8))
                .isFalse();
        assertThat(LongWords.areIn(List.of("java", longest + "x"), StandardCharsets.UTF_8))
                .isTrue();
        assertThat(LongWords.areIn(List.of("java", "\u00e4".repeat(70_000)), StandardCharsets.UTF_8))
                .isTrue();
    }

    @Test
    void pathsGoIntoAFileAndEverythingElseStays() {
        List<String> command = List.of(
                "setsid", "/jdk/bin/java", "-Xmx1g", "--module-path", "/m", "-cp", "/a b:/c\\d\"e", "Main", "-cp");

        LongWords taken = LongWords.of(command, 2, "@/arguments");

        assertThat(taken.words()).containsExactly("setsid", "/jdk/bin/java", "-Xmx1g", "@/arguments", "Main", "-cp");
        assertThat(taken.content()).isEqualTo("--module-path \"/m\"\n-cp \"/a b:/c\\\\d\\\"e\"\n");
    }

    @Test
    void aMessageShowsTheBeginningOfALongWord() {
        assertThat(LongWords.shown(List.of("java", "x".repeat(240_000))))
                .containsExactly("java", "x".repeat(200) + "... (240000 characters)");
    }
}
