// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.support.batch;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Predicate;

/**
 * The lines of the batch system in the output of a job that say that it ends the job: they are dropped once this session has
 * asked for that. Thread-safe.
 */
final class EndNotices {

    private final Predicate<String> isNotice;
    private volatile boolean expected;

    EndNotices(Predicate<String> isNotice) {
        this.isNotice = isNotice;
    }

    /** Takes note that this session asks for the end of the job. */
    void expect() {
        expected = true;
    }

    /** Tells whether a line is to be dropped. */
    boolean drops(String line) {
        return expected && isNotice.test(line);
    }

    /** Returns text less those of its lines that are to be dropped. */
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
