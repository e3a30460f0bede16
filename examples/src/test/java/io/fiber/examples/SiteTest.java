// SPDX-License-Identifier: Apache-2.0
package io.fiber.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The site that {@code dev/site} writes, in a real browser, and the faults that its checks find. */
@Tag("slow")
@Timeout(600)
final class SiteTest {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path directory;

    private record Outcome(int code, List<String> output) {}

    @BeforeAll
    static void writeSite() throws Exception {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(each -> Files.isExecutable(Path.of(each, "chromium"))),
                "No chromium on PATH (Debian: chromium).");
        Outcome outcome = run("dev/site");
        assertThat(outcome.code()).as(outcome.toString()).isZero();
    }

    /** Hundreds of pages, each opened in a browser, take minutes. */
    @Test
    @Tag("soak")
    void eachPageCanBeReadAndEachLinkLeadsSomewhere() throws Exception {
        Outcome outcome = run(JAVA, "dev/SiteCheck.java", "target/site");

        assertThat(outcome.output()).singleElement().asString().matches("\\d{3,} pages opened, 0 faults");
        assertThat(outcome.code()).isZero();
    }

    @Test
    void browserFindsPlantedFaults() throws Exception {
        write("there.html", "<h2 id=\"there\">There</h2>");
        write("picture.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"50\" height=\"50\"/>");
        write("index.html", """
                <!DOCTYPE html>
                <img src="gone.png">
                <pre>text</pre>
                <img src="picture.svg" style="position: absolute; left: 0; top: 0">
                <div style="width: 500px">wide</div>
                <script src="https://example.org/script.js"></script>
                <a href="there.html#there">right</a> <a href="there.html#gone">wrong</a>
                <a href="gone.html">wrong</a> <a href="file:///etc">wrong</a> <a href="https://example.org">right</a>
                """);

        Outcome outcome = run(JAVA, "dev/SiteCheck.java", directory.toString());

        assertThat(outcome.output())
                .containsExactlyInAnyOrder(
                        "index.html: the picture gone.png cannot be shown, at 1280 pixels",
                        "index.html: the picture gone.png cannot be shown, at 400 pixels",
                        "index.html: the picture picture.svg covers other content, at 1280 pixels",
                        "index.html: the picture picture.svg covers other content, at 400 pixels",
                        "index.html: is wider than the window, at 400 pixels",
                        "index.html: loads https://example.org/script.js from another host, at 1280 pixels",
                        "index.html: loads https://example.org/script.js from another host, at 400 pixels",
                        "index.html: the search does not find 'retries'",
                        "index.html: the link to there.html#gone leads to no such heading",
                        "index.html: the link to gone.html leads nowhere",
                        "index.html: the link file:///etc leads out of the site",
                        "gone.png is wanted by a page and is not there",
                        "gone.html is wanted by a page and is not there",
                        "2 pages opened, 13 faults");
        assertThat(outcome.code()).isOne();
    }

    @Test
    void faultsOfThePagesAreFoundWithoutABrowser() throws Exception {
        write("README.md", """
                # First
                <a href="gone.md"><img src="docs/gone.svg"></a>
                ![a picture](docs/missing.png) [a heading](docs/index.md#nowhere) [outside](../outside)
                """);
        write("docs/index.md", "# Pages\n[first](../README.md)\n");
        write("docs/other.md", "# Other\n");

        Outcome outcome = run(
                JAVA,
                "-cp",
                "target/site-lib/*",
                "dev/Site.java",
                directory.toString(),
                directory.resolve("site").toString());

        assertThat(outcome.output())
                .containsExactlyInAnyOrder(
                        "docs/other.md is not in docs/index.md",
                        "README.md -> gone.md: there is no such file",
                        "README.md -> docs/gone.svg: there is no such file",
                        "README.md -> docs/missing.png: there is no such file",
                        "README.md -> ../outside: there is no such file",
                        "README.md -> pages.html#nowhere: there is no such heading",
                        "2 pages and 0 of source code in " + directory.resolve("site") + ", 6 faults");
        assertThat(outcome.code()).isOne();
    }

    private void write(String file, String content) throws IOException {
        Path path = directory.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private static Outcome run(String... words) throws Exception {
        Process process = new ProcessBuilder(words)
                .directory(ROOT.toFile())
                .redirectErrorStream(true)
                .start();
        List<String> output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .toList();
        return new Outcome(process.waitFor(), output);
    }
}
