// SPDX-License-Identifier: Apache-2.0
package io.fiber.backend.local;

import io.fiber.spi.backend.JobRejectedException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.util.List;
import java.util.Map;

/**
 * Checks that a process receives words as they are written. The JVM silently replaces each character that its locale's
 * charset lacks by a question mark.
 *
 * @param charset in which words are passed to processes
 */
record NativeWords(Charset charset) {

    private static final int FIRST_WITH_NATIVE_ENCODING = 18;

    /** Returns the check for this JVM. */
    static NativeWords ofThisJvm() {
        String native17 = Charset.defaultCharset().name();
        return new NativeWords(Charset.forName(
                Runtime.version().feature() < FIRST_WITH_NATIVE_ENCODING
                        ? native17
                        : System.getProperty("sun.jnu.encoding", native17)));
    }

    /**
     * Rejects words that a process would not receive as they are written.
     *
     * @throws JobRejectedException if a word or a variable has a character that the charset lacks
     */
    void check(String job, List<String> command, Map<String, String> environment) {
        CharsetEncoder encoder = charset.newEncoder();
        for (String word : command) {
            if (!encoder.canEncode(word)) {
                throw refusal(job, "word '" + word + "'");
            }
        }
        environment.forEach((name, value) -> {
            if (!encoder.canEncode(name + value)) {
                throw refusal(job, "variable '" + name + "'");
            }
        });
    }

    private JobRejectedException refusal(String job, String what) {
        return new JobRejectedException(
                "FBR-127 The " + what + " of process '" + job + "' has letters that this JVM cannot pass on: the"
                        + " charset of its locale is " + charset
                        + ". Start this program in a UTF-8 locale, for example with LC_ALL=C.UTF-8.");
    }
}
