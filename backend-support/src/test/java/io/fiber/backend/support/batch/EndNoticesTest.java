// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Wherever the output of a job goes. */
class EndNoticesTest {

    private static final String NOTICE = "system: the job ends";
    private static final String TEXT = "first\n" + NOTICE + "\nsecond: " + NOTICE + "\nthird";

    private final Path written;
    private final Path copied;

    EndNoticesTest(@TempDir Path directory) {
        written = directory.resolve("job.out");
        copied = directory.resolve("copies/job.log");
    }

    private Stream<Function<EndNotices, JobText>> kinds() {
        LocalFiles files = new LocalFiles();
        return Stream.of(
                notices -> new ConsoleText(files, written, written.resolveSibling("job.err"), notices),
                notices -> new CopiedText(files, written, copied, notices),
                notices -> FileText.behind(files, written, notices));
    }

    private List<List<String>> lines(boolean isAsked) {
        return kinds().map(kind -> {
                    EndNotices notices = new EndNotices(NOTICE::equals);
                    try {
                        Files.deleteIfExists(written);
                        JobText text = kind.apply(notices);
                        if (isAsked) {
                            text.notices().expect();
                        }
                        Files.writeString(written, TEXT);
                        text.finish();
                        return text.lastLines(10);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                })
                .toList();
    }

    @Test
    void linesAboutAnEndThatWasAskedForAreDropped() {
        assertThat(lines(true)).hasSize(3).containsOnly(List.of("first", "second: " + NOTICE, "third"));
        assertThat(copied).hasContent("first\nsecond: " + NOTICE + "\nthird");
    }

    @Test
    void linesAboutAnEndForOtherReasonsAreKept() {
        assertThat(lines(false)).hasSize(3).containsOnly(TEXT.lines().toList());
        assertThat(copied).hasContent(TEXT);
    }

    @Test
    void lineWithoutAnEndIsCopiedWhenItIsLong() throws IOException {
        JobText text = kinds().skip(1).findFirst().orElseThrow().apply(new EndNotices(NOTICE::equals));
        text.notices().expect();
        Files.writeString(written, "progress ".repeat(8000));
        text.copy();

        assertThat(copied).hasSize(Files.size(written) / (64 * 1024) * (64 * 1024));
        Files.writeString(written, "progress ".repeat(8000) + "\n" + NOTICE + "\n");
        text.finish();
        assertThat(copied).hasContent("progress ".repeat(8000));
    }
}
