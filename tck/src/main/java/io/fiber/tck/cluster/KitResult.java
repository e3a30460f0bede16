// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;

/**
 * The result of a test that {@link KitRun} has run in another JVM.
 *
 * @param test its name
 * @param outcome the outcome
 * @param text the stack trace of what ended it; empty if it has passed
 */
public record KitResult(String test, Outcome outcome, String text) {

    private static final String MARK = "\u0001result ";

    /** The outcome of a test. */
    public enum Outcome {
        /** The test has passed. */
        PASSED,
        /** The test does not apply here; the text says why. */
        SKIPPED,
        /** The test has failed, or could not start. */
        FAILED
    }

    public KitResult {
        requireNonNull(test, "test");
        requireNonNull(outcome, "outcome");
        requireNonNull(text, "text");
    }

    static KitResult of(String test, Outcome outcome, Optional<Throwable> thrown) {
        return new KitResult(test, outcome, thrown.map(KitResult::trace).orElse(""));
    }

    private static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    /** Returns the result in a line of standard output; empty for a line that a test has printed. */
    public static Optional<KitResult> read(String line) {
        if (!line.startsWith(MARK)) {
            return Optional.empty();
        }
        String[] words = line.substring(MARK.length()).split(" ", -1);
        return Optional.of(new KitResult(decoded(words[1]), Outcome.valueOf(words[0]), decoded(words[2])));
    }

    String line() {
        return MARK + outcome + " " + encoded(test) + " " + encoded(text);
    }

    /** Returns a test of this JVM that ends as this one did. */
    public DynamicTest retold() {
        return dynamicTest(test, () -> {
            switch (outcome) {
                case PASSED -> {}
                case SKIPPED -> abort(text.lines().findFirst().orElse("without a reason"));
                case FAILED -> fail(text);
            }
        });
    }

    private static String encoded(String text) {
        // A word of its own, even if it is empty.
        return "." + Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    private static String decoded(String word) {
        return new String(Base64.getDecoder().decode(word.substring(1)), UTF_8);
    }
}
