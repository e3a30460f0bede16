// SPDX-License-Identifier: Apache-2.0
package io.fiber.tck.report;

/** The result of one clause in one test class. */
record ClauseResult(String clause, String says, String testClass, String outcome, String reason) {

    String json() {
        return "{\"clause\": " + quote(clause) + ", \"result\": " + quote(outcome) + ", \"says\": " + quote(says)
                + ", \"reason\": " + quote(reason) + ", \"testClass\": " + quote(testClass) + "}";
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }
}
