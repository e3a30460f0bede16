// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.logging;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.temporal.ChronoUnit;

/** Makes text of records. Immutable. */
final class LogLines {

    private final String process;

    /** Creates a maker of lines for the process of this name. */
    LogLines(String process) {
        this.process = process + "(" + ProcessHandle.current().pid() + ")";
    }

    /** Returns the record as lines of a file, each with its end: time, level, process, thread, logger, message. */
    String full(LogRecord entry) {
        return entry.time().truncatedTo(ChronoUnit.MILLIS) + " " + entry.level() + " " + process + " "
                + Thread.currentThread().getName() + " " + entry.logger() + " - " + body(entry);
    }

    /** Returns the message and the stack trace, each line with its end. */
    static String body(LogRecord entry) {
        if (entry.thrown() == null) {
            return entry.message() + System.lineSeparator();
        }
        StringWriter text = new StringWriter();
        PrintWriter printer = new PrintWriter(text);
        printer.println(entry.message());
        entry.thrown().printStackTrace(printer);
        printer.flush();
        return text.toString();
    }
}
