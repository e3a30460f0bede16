// SPDX-License-Identifier: Apache-2.0
package io.fiber.progress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fiber.Progress;
import io.fiber.ProgressListener;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class TerminalBarTest {

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
    private final PrintStream terminal = new PrintStream(screen, true, UTF_8);
    private final List<String> led = new ArrayList<>();
    private final TerminalBar bar = new TerminalBar(Optional.of(new BottomLine(terminal)), new TerminalBar.Streams() {
        @Override
        public void lead(BottomLine around) {
            led.add("led");
        }

        @Override
        public void restore() {
            led.add("restored");
        }
    });

    private record Report(
            String pool, long call, long done, long failed, OptionalLong total, Duration elapsed, State state)
            implements Progress {}

    private static Progress progress(long call, long done, long failed, Progress.State state) {
        return new Report("sweep", call, done, failed, OptionalLong.of(10), Duration.ofSeconds(3), state);
    }

    /** Returns the lines of a terminal that was sent all that, as a person sees them. */
    private List<String> lines() {
        List<String> lines = new ArrayList<>(List.of(""));
        for (String part : screen.toString(UTF_8).split("(?<=\n)|(?=\r\u001b\\[K)", -1)) {
            int last = lines.size() - 1;
            boolean erases = part.startsWith("\r\u001b[K");
            String text = erases ? part.substring("\r\u001b[K".length()) : part;
            lines.set(last, (erases ? "" : lines.get(last)) + text.replace("\n", ""));
            if (text.endsWith("\n")) {
                lines.add("");
            }
        }
        return lines;
    }

    @Test
    void callIsShownWithItsRateAndTheTimeLeft() {
        bar.onProgress(progress(1, 4, 0, Progress.State.RUNNING));

        assertThat(lines()).containsExactly("sweep: 40%|####      | 4/10 [00:03<00:04, 1.33 tasks/s]");
    }

    @Test
    void textSaysWhatIsKnown() {
        assertThat(TerminalBar.text(
                        new Report("p", 1, 1, 1, OptionalLong.of(4), Duration.ofSeconds(5000), Progress.State.RUNNING)))
                .isEqualTo("p: 50%|#####     | 2/4 [1:23:20<1:23:20, 2500.00 s/task], 1 failed");
        assertThat(TerminalBar.text(
                        new Report("p", 1, 0, 0, OptionalLong.of(4), Duration.ofSeconds(2), Progress.State.RUNNING)))
                .isEqualTo("p:  0%|          | 0/4 [00:02<?, ? tasks/s]");
        assertThat(TerminalBar.text(
                        new Report("p", 1, 6, 0, OptionalLong.of(4), Duration.ofSeconds(6), Progress.State.RUNNING)))
                .isEqualTo("p:100%|##########| 6/4 [00:06<00:00, 1.00 tasks/s]");
        assertThat(TerminalBar.text(new Report(
                        "p", 1, 1000, 0, OptionalLong.empty(), Duration.ofSeconds(2), Progress.State.RUNNING)))
                .isEqualTo("p: 1000/? [00:02, 500 tasks/s]");
        assertThat(TerminalBar.text(new Report(
                        "p".repeat(200), 1, 1, 0, OptionalLong.empty(), Duration.ofSeconds(2), Progress.State.RUNNING)))
                .hasSizeLessThan(200);
    }

    @Test
    void whatIsPrintedStandsAboveTheBarAndNoOldBarIsLeft() {
        BottomLine line = new BottomLine(terminal);
        PrintStream out = line.around(terminal, "stdout");
        out.println("before");
        line.show("10%");
        out.println("of a task");
        out.print("half a ");
        line.show("20%");
        out.println("line");
        line.show("30%");
        assertThat(lines()).containsExactly("before", "of a task", "half a line", "30%");

        line.show("");
        out.println("after");
        assertThat(lines()).containsExactly("before", "of a task", "half a line", "after", "");
    }

    @Test
    void barIsErasedWhenItsCallEnds() {
        bar.onProgress(progress(1, 4, 0, Progress.State.RUNNING));
        bar.onProgress(progress(1, 9, 1, Progress.State.ENDED));

        assertThat(lines()).containsExactly("");
        assertThat(led).containsExactly("led", "restored");
    }

    @Test
    void oneCallIsShownAtATime() {
        bar.onProgress(progress(1, 4, 0, Progress.State.RUNNING));
        bar.onProgress(progress(2, 7, 0, Progress.State.RUNNING));
        bar.onProgress(progress(2, 7, 0, Progress.State.ENDED));
        assertThat(lines()).singleElement().asString().contains("4/10");
        bar.onProgress(progress(1, 5, 0, Progress.State.ENDED));

        bar.onProgress(progress(3, 8, 0, Progress.State.RUNNING));
        assertThat(lines()).singleElement().asString().contains("8/10");
    }

    @Test
    void nothingIsDrawnWithoutATerminal() {
        TerminalBar blind = new TerminalBar(Optional.empty(), TerminalBar.Streams.ofProgram());
        blind.onProgress(progress(1, 4, 0, Progress.State.RUNNING));
        blind.onProgress(progress(1, 4, 0, Progress.State.ENDED));

        assertThat(screen.size()).isZero();
        assertThat(Terminal.isTerminal("/dev/pts/3")).isTrue();
        assertThat(Terminal.isTerminal("pipe:[123]")).isFalse();
        assertThat(Terminal.isTerminal("/tmp/log")).isFalse();
    }

    @Test
    void streamsOfTheProgramAreItsOwnAgainAfterwards() {
        PrintStream err = System.err;
        PrintStream out = System.out;
        TerminalBar.Streams streams = TerminalBar.Streams.ofProgram();

        streams.lead(new BottomLine(terminal));
        assertThat(System.err).isNotSameAs(err);
        streams.restore();

        assertThat(System.err).isSameAs(err);
        assertThat(System.out).isSameAs(out);
    }

    /** Whoever sets progress-bar=false means a bar on the terminal, and no other listener. */
    @Test
    void barSaysThatItDrawsOnTheTerminal() {
        assertThat(bar.drawsOnTerminal()).isTrue();
        ProgressListener other = news -> {};
        assertThat(other.drawsOnTerminal()).isFalse();
    }

    @Test
    void beingOnTheClassPathIsEnough() {
        assertThat(ServiceLoader.load(ProgressListener.class)).hasOnlyElementsOfType(TerminalBar.class);
    }
}
