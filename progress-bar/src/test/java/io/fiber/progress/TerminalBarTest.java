// SPDX-License-Identifier: Apache-2.0
package io.fiber.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Progress;
import io.fiber.ProgressListener;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class TerminalBarTest {

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final TerminalBar bar = new TerminalBar(Optional.of(new PrintStream(screen, true, UTF_8)));

    private static Progress progress(long call, long done, long failed, Progress.State state) {
        return new Progress("sweep", call, done, failed, OptionalLong.of(10), Duration.ofSeconds(3), state);
    }

    @Test
    void callIsShownUntilItsEnd() {
        bar.onProgress(progress(1, 4, 0, Progress.State.RUNNING));
        bar.onProgress(progress(1, 9, 1, Progress.State.ENDED));

        assertThat(screen.toString(UTF_8)).contains("sweep", "10/10", "100%", "1 failed");
    }

    @Test
    void oneCallIsShownAtATime() {
        bar.onProgress(progress(1, 4, 0, Progress.State.RUNNING));
        bar.onProgress(progress(2, 7, 0, Progress.State.RUNNING));
        bar.onProgress(progress(2, 7, 0, Progress.State.ENDED));
        bar.onProgress(progress(1, 5, 0, Progress.State.ENDED));
        assertThat(screen.toString(UTF_8)).contains("5/10").doesNotContain("7/10");

        bar.onProgress(progress(3, 8, 0, Progress.State.RUNNING));
        bar.onProgress(progress(3, 10, 0, Progress.State.ENDED));
        assertThat(screen.toString(UTF_8)).contains("10/10");
    }

    @Test
    void totalThatIsNotKnownIsNotShown() {
        bar.onProgress(
                new Progress("endless", 1, 5, 0, OptionalLong.empty(), Duration.ofSeconds(3), Progress.State.RUNNING));
        bar.onProgress(
                new Progress("endless", 1, 6, 0, OptionalLong.empty(), Duration.ofSeconds(4), Progress.State.ENDED));

        assertThat(screen.toString(UTF_8)).contains("endless", "6/?");
    }

    @Test
    void nothingIsDrawnWithoutATerminal() {
        TerminalBar blind = new TerminalBar(Optional.empty());
        blind.onProgress(progress(1, 4, 0, Progress.State.RUNNING));
        blind.onProgress(progress(1, 4, 0, Progress.State.ENDED));

        assertThat(screen.size()).isZero();
        assertThat(Terminal.isTerminal("/dev/pts/3")).isTrue();
        assertThat(Terminal.isTerminal("pipe:[123]")).isFalse();
        assertThat(Terminal.isTerminal("/tmp/log")).isFalse();
    }

    @Test
    void beingOnTheClassPathIsEnough() {
        assertThat(ServiceLoader.load(ProgressListener.class)).hasOnlyElementsOfType(TerminalBar.class);
    }
}
