// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import java.nio.charset.Charset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The last lines of an output, bounded in lines and bytes. Thread-safe; never blocks for long. */
final class LineBuffer {

    /** What programs of this host write in. Not the default charset, which is UTF-8 from JDK 18 on whatever the host has. */
    static final Charset CHARSET = nativeCharset();

    private final ArrayDeque<byte[]> lines = new ArrayDeque<>();
    private int bytes;

    private static Charset nativeCharset() {
        String name = System.getProperty("native.encoding", "UTF-8");
        return Charset.isSupported(name) ? Charset.forName(name) : Charset.defaultCharset();
    }

    /** Adds one line without its end; the oldest ones make room. */
    synchronized void add(byte[] line) {
        lines.addLast(line);
        bytes += line.length;
        while (lines.size() > JobLog.KEPT_LINES || (bytes > JobLog.KEPT_BYTES && lines.size() > 1)) {
            bytes -= lines.removeFirst().length;
        }
    }

    /** Returns at most {@code count} of the last lines, oldest first. */
    synchronized List<String> last(int count) {
        List<String> result = new ArrayList<>(Math.min(count, lines.size()));
        int skip = lines.size() - count;
        for (byte[] line : lines) {
            if (skip-- <= 0) {
                result.add(new String(line, CHARSET));
            }
        }
        return result;
    }
}
