// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import static java.util.Objects.requireNonNull;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The result of a check.
 *
 * @param level how serious it is
 * @param subject what was checked, in a word or two
 * @param text what was found; begins with a code if there is one
 * @param fix what to do; empty if there is nothing to do or the text says it
 */
public record Finding(Level level, String subject, String text, Optional<String> fix) {

    private static final Pattern CODE = Pattern.compile("FBR-\\d{3}");

    /** How serious a finding is. */
    public enum Level {
        /** Everything is in order. */
        OK,
        /** Programs run, although something could be better, or could not be found out. */
        NOTE,
        /** Programs do not run, or not on this backend. */
        FAULT
    }

    public Finding {
        requireNonNull(level, "level");
        requireNonNull(subject, "subject");
        requireNonNull(text, "text");
        requireNonNull(fix, "fix");
    }

    static Finding ok(String subject, String text) {
        return new Finding(Level.OK, subject, text, Optional.empty());
    }

    static Finding note(String subject, String text, String fix) {
        return new Finding(Level.NOTE, subject, text, Optional.of(fix));
    }

    static Finding fault(String subject, String text, String fix) {
        return new Finding(Level.FAULT, subject, text, Optional.of(fix));
    }

    /** Returns a fault for an exception of a check: its message says what to do, and the page of errors says more. */
    static Finding thrown(String subject, Throwable failure) {
        String text = String.valueOf(failure.getMessage());
        return CODE.matcher(text).find()
                ? coded(subject, text)
                : fault(
                        subject,
                        failure.toString(),
                        "this text has no code: it comes from the platform, or it is a" + " bug");
    }

    /** Returns a fault whose text has a code and says what to do. */
    static Finding coded(String subject, String text) {
        Matcher code = CODE.matcher(text);
        return fault(subject, text, "see docs/errors.md" + (code.find() ? ", section " + code.group() : ""));
    }

    /** Returns the code in the text; empty if there is none. */
    public Optional<String> code() {
        Matcher code = CODE.matcher(text);
        return code.find() ? Optional.of(code.group()) : Optional.empty();
    }

    /** Returns the finding for programs to read. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("level", level.name().toLowerCase(java.util.Locale.ROOT));
        map.put("subject", subject);
        code().ifPresent(code -> map.put("code", code));
        map.put("text", text);
        fix.ifPresent(words -> map.put("fix", words));
        return map;
    }
}
