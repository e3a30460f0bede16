// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fiber.tck.cluster.KitResult.Outcome;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.TestAbortedException;

class KitResultTest {

    private static Executable retold(Outcome outcome, Throwable thrown) {
        KitResult result = KitResult.of("SomeKit.a test\nof two lines", outcome, Optional.of(thrown));
        return KitResult.read(result.line()).orElseThrow().retold().getExecutable();
    }

    @Test
    void resultArrivesByOneLine() {
        KitResult result = KitResult.of("SomeKit.a test\nof two lines", Outcome.PASSED, Optional.empty());

        assertThat(result.line()).doesNotContain("\n");
        assertThat(KitResult.read(result.line())).contains(result);
        assertThatCode(() -> result.retold().getExecutable().execute()).doesNotThrowAnyException();
    }

    @Test
    void whatATestPrintsIsNoResult() {
        assertThat(KitResult.read("")).isEmpty();
        assertThat(KitResult.read("result PASSED .QQ== .")).isEmpty();
    }

    @Test
    void testThatFailedFailsWithItsTraceAndOneThatWasSkippedIsSkipped() {
        assertThatThrownBy(() -> retold(Outcome.FAILED, new IllegalStateException("so it was"))
                        .execute())
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("so it was")
                .hasMessageContaining("at io.fiber.tck.cluster.KitResultTest");
        assertThatThrownBy(() -> retold(Outcome.SKIPPED, new TestAbortedException("not here"))
                        .execute())
                .isInstanceOf(TestAbortedException.class)
                .hasMessageEndingWith("not here");
    }
}
