// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.spi.backend.JobRejectedException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Words and variables that a JVM in a poor locale would change are refused. */
@Tag("slow")
final class NativeWordsTest {

    @Test
    void wordThatTheCharsetLacksIsNamed() {
        assertThatThrownBy(() -> new NativeWords(StandardCharsets.US_ASCII)
                        .check("train", List.of("java", "gr\u00fc\u00dfe"), Map.of()))
                .isInstanceOf(JobRejectedException.class)
                .hasMessage("FBR-127 The word 'gr\u00fc\u00dfe' of process 'train' has letters that this JVM cannot"
                        + " pass on: the charset of its locale is US-ASCII. Start this program in a UTF-8 locale, for"
                        + " example with LC_ALL=C.UTF-8.");
    }

    @Test
    void variableThatTheCharsetLacksIsNamedWithoutItsValue() {
        assertThatThrownBy(() -> new NativeWords(StandardCharsets.ISO_8859_1)
                        .check("train", List.of("java"), Map.of("NAME", "\u65e5")))
                .hasMessageContaining("The variable 'NAME'")
                .hasMessageNotContaining("\u65e5");
    }

    @Test
    void everyLetterGoesInUtf8() {
        assertThatCode(() -> new NativeWords(StandardCharsets.UTF_8)
                        .check("train", List.of("\ud83d\ude00"), Map.of("A", "\u65e5")))
                .doesNotThrowAnyException();
    }
}
