// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/**
 * Drops lines of the batch system in a job's output that say that it ends the job, once this session has requested
 * that. Thread-safe.
 */
final class EndNotices {

    private final Predicate<String> isNotice;
    private volatile boolean expected;

    EndNotices(Predicate<String> isNotice) {
        this.isNotice = isNotice;
    }

    /** Records that this session asks for the end of the job. */
    void expect() {
        expected = true;
    }

    /** Returns whether to drop a line. */
    boolean drops(String line) {
        return expected && isNotice.test(line);
    }

    /** Returns the text without the lines to drop. */
    byte[] without(byte[] text) {
        if (!expected) {
            return text;
        }
        ByteArrayOutputStream kept = new ByteArrayOutputStream(text.length);
        int begin = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] == '\n') {
                if (!drops(new String(text, begin, i - begin, StandardCharsets.UTF_8))) {
                    kept.write(text, begin, i + 1 - begin);
                }
                begin = i + 1;
            }
        }
        kept.write(text, begin, text.length - begin);
        return kept.toByteArray();
    }
}
