// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.io.PrintWriter;
import java.io.Writer;

/**
 * A stack trace as {@link Throwable#printStackTrace()} prints it, limited to a length. A shortened one names its causes
 * at the end.
 */
final class ThrowableText {

    /** Room for the causes after a shortened stack trace. */
    private static final int CAUSES_CHARS = 8 << 10;

    private static final int CAUSE_CHARS = 512;

    private ThrowableText() {}

    static String of(Throwable thrown, int limitChars) {
        LimitedWriter writer = new LimitedWriter(limitChars);
        try (PrintWriter printer = new PrintWriter(writer)) {
            thrown.printStackTrace(printer);
        } catch (FullException full) {
            return cutTrace(thrown, writer.text, limitChars);
        } catch (Throwable hostile) {
            return cut(ownTrace(thrown), limitChars);
        }
        return writer.text.toString();
    }

    static String cut(String text, int limitChars) {
        if (text.length() <= limitChars) {
            return text;
        }
        String end = "... (cut, " + text.length() + " characters)";
        return text.substring(0, limitChars - end.length()) + end;
    }

    private static String cutTrace(Throwable thrown, StringBuilder text, int limitChars) {
        StringBuilder causes = new StringBuilder("\n... (cut)\n");
        for (Throwable cause : Causes.of(thrown)) {
            String line = cause == thrown ? "" : "Caused by: " + cut(Causes.describe(cause), CAUSE_CHARS) + "\n";
            if (causes.length() + line.length() > CAUSES_CHARS) {
                break;
            }
            causes.append(line);
        }
        text.setLength(Math.min(text.length(), limitChars - causes.length()));
        return text.append(causes).toString();
    }

    /** Returns a stack trace of an exception whose own methods fail. */
    private static String ownTrace(Throwable thrown) {
        StringBuilder text = new StringBuilder();
        for (Throwable cause : Causes.of(thrown)) {
            text.append(text.isEmpty() ? "" : "Caused by: ")
                    .append(Causes.describe(cause))
                    .append('\n');
            for (StackTraceElement frame : Causes.frames(cause)) {
                text.append("\tat ").append(frame).append('\n');
            }
        }
        return text.toString();
    }

    private static final class FullException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        FullException() {
            super(null, null, false, false);
        }
    }

    /** Stops printing at the limit, because a trace can be endless. */
    private static final class LimitedWriter extends Writer {

        private final int limitChars;
        private final StringBuilder text = new StringBuilder();

        LimitedWriter(int limitChars) {
            this.limitChars = limitChars;
        }

        @Override
        public void write(char[] chars, int offset, int count) {
            int part = Math.min(count, limitChars - text.length());
            text.append(chars, offset, part);
            if (part < count) {
                throw new FullException();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
