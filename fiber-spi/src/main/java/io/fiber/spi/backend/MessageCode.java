// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.backend;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The code that is the first word of a message, for example {@code FBR-106} or {@code PBS-17}. */
final class MessageCode {

    private static final Pattern FORM = Pattern.compile("([A-Z][A-Z0-9]*-\\d+) .*", Pattern.DOTALL);

    private MessageCode() {}

    static Optional<String> of(String message) {
        Matcher form = FORM.matcher(message);
        return form.matches() ? Optional.of(form.group(1)) : Optional.empty();
    }
}
