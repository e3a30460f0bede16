// SPDX-License-Identifier: Apache-2.0
package io.fiber.progress;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;

/**
 * A line that stays below other output on a terminal. Before other output is written, the line is erased. It is drawn
 * again once that output has ended its line. Thread-safe.
 */
final class BottomLine {

    private static final String ERASE = "\r\u001b[K";

    private final PrintStream terminal;
    private String text = "";
    private boolean isDrawn;
    /** Whether the last output ended mid-line, leaving no room for the bottom line. */
    private boolean isWithinLine;

    BottomLine(PrintStream terminal) {
        this.terminal = terminal;
    }

    /** Shows this text from now on; an empty text erases the line. */
    synchronized void show(String now) {
        text = now;
        erase();
        draw();
    }

    /**
     * Returns a stream that writes to this one and keeps the line below it.
     *
     * @param name of the standard stream, {@code stdout} or {@code stderr}, which has an encoding of its own
     */
    PrintStream around(PrintStream target, String name) {
        OutputStream writing = new OutputStream() {
            @Override
            public void write(int value) {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) {
                writeAbove(target, bytes, offset, length);
            }

            @Override
            public void flush() {
                target.flush();
            }
        };
        return new PrintStream(writing, true, charset(name));
    }

    private synchronized void writeAbove(PrintStream target, byte[] bytes, int offset, int length) {
        if (length == 0) {
            return;
        }
        erase();
        target.write(bytes, offset, length);
        target.flush();
        isWithinLine = bytes[offset + length - 1] != '\n';
        draw();
    }

    private void erase() {
        if (isDrawn) {
            terminal.print(ERASE);
            terminal.flush();
            isDrawn = false;
        }
    }

    private void draw() {
        if (!text.isEmpty() && !isWithinLine) {
            terminal.print(text);
            terminal.flush();
            isDrawn = true;
        }
    }

    /** Returns the encoding in which the JDK writes a standard stream; before JDK 19 the property has the prefix. */
    private static Charset charset(String stream) {
        String name = System.getProperty(stream + ".encoding", System.getProperty("sun." + stream + ".encoding", ""));
        return !name.isEmpty() && Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
    }
}
