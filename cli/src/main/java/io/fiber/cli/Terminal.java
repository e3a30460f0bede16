// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** What standard output and standard error lead to. If the system does not say, it is not considered a terminal. */
final class Terminal {

    /** The widest line that people still read at a glance, and the width where there is no terminal. */
    static final int WIDTH = 120;

    private static final int LEAST_WIDTH = 60;
    private static final long ANSWER_LIMIT_S = 2;
    private static final Path STANDARD_OUTPUT = Path.of("/proc/self/fd/1");
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");
    private static final String RESET = "\u001b[0m";

    /** How a word stands out. */
    enum Style {
        PLAIN(""),
        RED("\u001b[31m"),
        GREEN("\u001b[32m"),
        YELLOW("\u001b[33m");

        private final String code;

        Style(String code) {
            this.code = code;
        }

        /** Returns the text in this style. */
        String of(String text) {
            return this == PLAIN ? text : code + text + RESET;
        }
    }

    private Terminal() {}

    /** Returns whether a line on standard error can be changed. */
    static boolean hasErrorLine() {
        return leadsToOne(STANDARD_ERROR) && !isDumb();
    }

    /** Returns whether standard output shows colours, and the user has not switched them off (https://no-color.org). */
    static boolean hasColour() {
        return leadsToOne(STANDARD_OUTPUT) && !isDumb() && variable("NO_COLOR").isEmpty();
    }

    /** Returns how many columns a line on standard output may take. */
    static int width() {
        return leadsToOne(STANDARD_OUTPUT)
                ? columns()
                        .map(columns -> Math.max(LEAST_WIDTH, Math.min(columns, WIDTH)))
                        .orElse(WIDTH)
                : WIDTH;
    }

    private static boolean leadsToOne(Path descriptor) {
        try {
            return descriptor.toRealPath().startsWith("/dev/pts");
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isDumb() {
        return variable("TERM").filter("dumb"::equals).isPresent();
    }

    private static Optional<String> variable(String name) {
        return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isEmpty());
    }

    /** Asks the system, because shells keep COLUMNS to themselves. */
    private static Optional<Integer> columns() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(ANSWER_LIMIT_S, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return Optional.empty();
            }
            String[] size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                    .strip()
                    .split(" ", -1);
            return size.length == 2 && size[1].matches("[1-9]\\d{0,4}")
                    ? Optional.of(Integer.valueOf(size[1]))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
