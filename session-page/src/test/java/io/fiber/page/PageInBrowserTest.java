// SPDX-License-Identifier: Apache-2.0
package io.fiber.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fiber.CallOptions;
import io.fiber.Fiber;
import io.fiber.Pool;
import io.fiber.RemoteTaskException;
import io.fiber.WorkerLostException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The page as a person sees it, in a real browser. */
@Tag("slow")
class PageInBrowserTest {

    private static final Duration LIMIT = Duration.ofMinutes(3);
    /** It is told now and then, perhaps not of the very last tasks. */
    private static final Pattern CALL = Pattern.compile("call 4: \\d+ of 408 tasks, about \\d+ s left");

    /** Memory and processor of a worker that runs a task. */
    private static final Pattern USAGE = Pattern.compile("p1-primes-\\d\tready\t\\S+\t\\d+ MB\t\\d+ %\t1\t");

    private static final Path PICTURE = Path.of("../docs/images/session-page.png");

    /** The browser may still write when it was told to end. */
    @TempDir(cleanup = CleanupMode.NEVER)
    static Path profile;

    @TempDir
    Path directory;

    @BeforeEach
    void requireBrowser() {
        assumeTrue(Browser.isThere(), "No chromedriver on PATH (Debian: chromium-driver).");
    }

    private static int work(int number, String go) throws InterruptedException {
        System.out.println("<b>begins</b> " + number);
        Thread.sleep(number % 40 * 5L);
        while (number >= 400 && !Files.exists(Path.of(go))) {
            Thread.sleep(20);
        }
        return number;
    }

    private static int reject(int number) {
        if (number % 2 == 0) {
            return number;
        }
        throw new IllegalStateException("<i>no</i> " + number);
    }

    private static int halt() {
        Runtime.getRuntime().halt(9);
        return 0;
    }

    @Test
    void personSeesWhatPoolsDo() throws IOException {
        try (Fiber fiber = Fiber.builder().set("fiber.cds", "false").open();
                Browser browser = new Browser(profile)) {
            SessionPage page = SessionPage.open();
            try (Pool pool = page.show(fiber.poolBuilder(4)
                    .name("primes")
                    .callOptions(CallOptions.defaults().maxReruns(0))
                    .build())) {
                pool.awaitReady();
                browser.open(page.address());
                assertThatThrownBy(() -> pool.apply(PageInBrowserTest::halt)).isInstanceOf(WorkerLostException.class);
                assertThatThrownBy(() -> pool.apply(PageInBrowserTest::reject, 17))
                        .isInstanceOf(RemoteTaskException.class);
                assertThat(pool.apply(PageInBrowserTest::reject, 18)).isEqualTo(18);
                await().atMost(LIMIT).untilAsserted(() -> lookAtWhatFailed(browser));
                String go = directory.resolve("go").toString();
                CompletableFuture<List<Integer>> results = pool.mapAsync(
                        (Integer number) -> work(number, go),
                        IntStream.range(0, 408).boxed().toList());

                try {
                    look(browser);
                } finally {
                    Files.createFile(Path.of(go));
                }
                assertThat(results).succeedsWithin(LIMIT);
                await().atMost(LIMIT).until(() -> browser.text().contains("Done\n409\n"));
            }
            await().atMost(LIMIT).until(() -> browser.text().contains("Pool primes, terminated"));
            page.close();
            await().atMost(LIMIT).until(() -> browser.text().contains("The program does not answer: it has ended"));
            assertThat(browser.text()).contains("Pool primes, terminated");
        }
    }

    /** Looks at a task that has failed, one that has not, and one that has ended its worker: they are shown for a minute. */
    private static void lookAtWhatFailed(Browser browser) {
        assertThat(browser.text())
                .containsPattern("p1-primes-\\d\texited\texit code 9")
                .contains("io.fiber.page.PageInBrowserTest::reject", "with failed tasks");
        assertThat(browser.run("return [...document.querySelectorAll('.workers rect.FAILED')]"
                                + ".map(each => getComputedStyle(each).fill + ' ' + each.textContent).join()")
                        .asText())
                .matches(
                        "rgb\\(232, 113, 10\\) io\\.fiber\\.page\\.PageInBrowserTest::reject, 1 tasks, 1 failed, \\d+ ms,"
                                + " DONE");
    }

    /** Looks at a pool whose last tasks run, after those that failed. */
    private static void look(Browser browser) throws IOException {
        await().atMost(LIMIT).until(() -> browser.text().contains("Running\n4\n"));
        await().atMost(LIMIT).until(() -> browser.text().contains("Done\n401\n"));
        assertThat(browser.text())
                .contains("Pool primes, running", "Workers\n4 of 4\n", "Workers lost\n1", "exit code 9");
        await().atMost(LIMIT).until(() -> CALL.matcher(browser.text()).find());
        await().atMost(LIMIT).until(() -> rectangles(browser) > 8);
        assertThat(browser.text())
                .contains(
                        "Tasks answered in a second, the last 5 min; at most ",
                        "io.fiber.page.PageInBrowserTest::reject",
                        "a lambda in io.fiber.page.PageInBrowserTest.personSeesWhatPoolsDo");
        assertThat(colours(browser)).isEqualTo(2);
        open(browser, "details.failures");
        assertThat(browser.text())
                .contains(
                        "call 2, task 0\tjava.lang.IllegalStateException\tFBR-401",
                        "<i>no</i> 17",
                        "call 1, task 0\tio.fiber.WorkerLostException\tFBR-402");
        open(browser, "details.failures");
        await().atMost(LIMIT)
                .until(() -> USAGE.matcher(browser.text()).results().count() == 4);
        openLogs(browser);
        await().atMost(LIMIT).until(() -> browser.text().contains("<b>begins</b> 3"));
        openLogs(browser);
        keepPicture(browser);
        browser.resize(390, 760);
        assertThat(browser.run("return document.documentElement.scrollWidth - window.innerWidth")
                        .asInt())
                .as("pixels that do not fit a telephone")
                .isLessThanOrEqualTo(0);
        browser.resize(1100, 900);
    }

    @Test
    void workersWhoseJobsWaitSayWhatFor() throws IOException {
        FullPlatform platform = new FullPlatform("Unschedulable: 0/2 nodes are available: 2 <Insufficient> cpu.");
        try (Fiber fiber = Fiber.builder()
                        .backend(platform)
                        .set("fiber.cds", "false")
                        .open();
                Browser browser = new Browser(profile);
                SessionPage page = SessionPage.open();
                Pool pool = page.show(fiber.pool(2))) {
            CompletableFuture<Integer> result = pool.applyAsync(PageInBrowserTest::halt);
            browser.open(page.address());

            String shown = "waits: Unschedulable: 0/2 nodes are available: 2 <Insufficient> cpu.";
            await().atMost(LIMIT).until(() -> browser.text().contains(shown));
            assertThat(browser.text()).contains("starting", "Waiting\n1\n");
            assertThat(result).isNotDone();
            pool.shutdownNow();
        }
    }

    private static int rectangles(Browser browser) {
        return browser.run("return document.querySelectorAll('svg rect.DONE').length")
                .asInt();
    }

    private static int colours(Browser browser) {
        return browser.run("return new Set([...document.querySelectorAll('.legend rect[class^=f]')]"
                        + ".map(each => getComputedStyle(each).fill)).size")
                .asInt();
    }

    private static void openLogs(Browser browser) {
        open(browser, "details:not(.failures)");
    }

    /** Opens a part of the page that is closed, or closes it. */
    private static void open(Browser browser, String part) {
        browser.run("document.querySelector('" + part + " > summary').click()");
    }

    private static void keepPicture(Browser browser) throws IOException {
        if (Boolean.getBoolean("fiber.test.regenerate")) {
            Files.createDirectories(PICTURE.getParent());
            Files.write(PICTURE, browser.screenshot());
        }
    }
}
