// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LogFileTest {

    private static final String HEAD = "2026-01-02T03:04:05.006Z WARNING worker-1("
            + ProcessHandle.current().pid() + ") " + "main-thread io.fiber.Some - ";

    @TempDir
    Path directory;

    private LogFile open(Path path, long limitBytes) {
        return new LogFile(path, limitBytes, "worker-1", System.Logger.Level.INFO);
    }

    private static LogRecord entry(String message, @Nullable Throwable thrown) {
        Instant time = Instant.parse("2026-01-02T03:04:05.006789Z");
        return new LogRecord(time, "io.fiber.Some", System.Logger.Level.WARNING, message, thrown);
    }

    private static String head() {
        return HEAD.replace("main-thread", Thread.currentThread().getName());
    }

    @Test
    void lineHasTimeLevelProcessThreadAndLogger() throws IOException {
        Path path = directory.resolve("deep/worker.log");
        try (LogFile file = open(path, 1 << 20)) {
            file.log(entry("first", null));
            file.log(entry("second", new IllegalStateException("why")));
        }

        assertThat(Files.readAllLines(path))
                .startsWith(head() + "first", head() + "second", "java.lang.IllegalStateException: why")
                .hasSizeGreaterThan(4);
    }

    @Test
    void fileStaysBelowItsLimitAndTheOneBeforeIsKept() throws IOException {
        Path path = directory.resolve("worker.log");
        long limitBytes = 4096;
        try (LogFile file = open(path, limitBytes)) {
            for (int i = 0; i < 200; i++) {
                file.log(entry("record " + i, null));
            }
        }

        Path before = directory.resolve("worker.log.1");
        assertThat(Files.size(path)).isBetween(1L, limitBytes);
        assertThat(Files.size(before)).isBetween(limitBytes / 2, limitBytes);
        assertThat(Files.readString(path)).endsWith("record 199" + System.lineSeparator());
        assertThat(directory).isDirectoryNotContaining(entry -> entry.toString().endsWith(".2"));
    }

    @Test
    void fileThatCannotBeRenamedGrowsFurther() throws IOException {
        Path path = directory.resolve("worker.log");
        Files.createDirectories(directory.resolve("worker.log.1/occupied"));
        try (LogFile file = open(path, 1024)) {
            for (int i = 0; i < 100; i++) {
                file.log(entry("record " + i, null));
            }
        }

        assertThat(Files.readAllLines(path)).hasSize(100).last().isEqualTo(head() + "record 99");
    }

    @Test
    void recordsOfAnEarlierProcessOfThatNameStay() throws IOException {
        Path path = directory.resolve("worker.log");
        for (String message : new String[] {"earlier", "later"}) {
            try (LogFile file = open(path, 4096)) {
                file.log(entry(message, null));
            }
        }

        assertThat(Files.readAllLines(path)).containsExactly(head() + "earlier", head() + "later");
    }

    @Test
    void interruptOfTheThreadThatLogsLosesNothing() throws IOException {
        Path path = directory.resolve("worker.log");
        try (LogFile file = open(path, 4096)) {
            Thread.currentThread().interrupt();
            file.log(entry("interrupted", null));
            assertThat(Thread.interrupted()).isTrue();
            file.log(entry("after", null));
        }

        assertThat(Files.readAllLines(path)).containsExactly(head() + "interrupted", head() + "after");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void fullDiskLosesRecordsAndLaterSaysHowMany() throws IOException {
        Path path = directory.resolve("worker.log");
        Files.createSymbolicLink(path, Path.of("/dev/full"));
        try (LogFile file = open(path, 1 << 20)) {
            file.log(entry("lost", null));
            file.log(entry("lost too", null));
            Files.delete(path);
            file.log(entry("there is room again", null));
            file.log(entry("and still is", null));
        }

        assertThat(Files.readAllLines(path))
                .containsExactly(
                        "",
                        "2 records could not be written here.",
                        head() + "there is room again",
                        head() + "and still is");
    }

    @Test
    void levelsBelowTheThresholdAreRefused() {
        try (LogFile file = open(directory.resolve("worker.log"), 4096)) {
            assertThat(file.isLoggable("any", System.Logger.Level.INFO)).isTrue();
            assertThat(file.isLoggable("any", System.Logger.Level.DEBUG)).isFalse();
            assertThat(Logs.isAtLeast(System.Logger.Level.OFF, System.Logger.Level.ERROR))
                    .isFalse();
        }
    }

    @Test
    void patternNamesTheProcessAndCannotLeaveItsDirectory() {
        long pid = ProcessHandle.current().pid();

        assertThat(LogFile.expand("/logs/%n-%p-100%%.log", "p1-pool-1-0"))
                .isEqualTo(Path.of("/logs/p1-pool-1-0-" + pid + "-100%.log").toAbsolutePath());
        assertThat(LogFile.expand("/logs/%n.log", "../../etc/x"))
                .isEqualTo(Path.of("/logs/______etc_x.log").toAbsolutePath());
    }
}
