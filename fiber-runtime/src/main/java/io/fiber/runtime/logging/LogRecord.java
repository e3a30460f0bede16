// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

record LogRecord(
        Instant time,
        String logger,
        System.Logger.Level level,
        String message,
        @Nullable Throwable thrown) {

    /** Returns the record as lines of a file, each with its line end: time, level, process, thread, logger, message. */
    String lines(String process) {
        return time.truncatedTo(ChronoUnit.MILLIS) + " " + level + " " + process + " "
                + Thread.currentThread().getName() + " " + logger + " - " + body();
    }

    /** Returns the message and the stack trace, each line with its line end. */
    String body() {
        if (thrown == null) {
            return message + System.lineSeparator();
        }
        StringWriter text = new StringWriter();
        PrintWriter printer = new PrintWriter(text);
        printer.println(message);
        thrown.printStackTrace(printer);
        printer.flush();
        return text.toString();
    }
}
