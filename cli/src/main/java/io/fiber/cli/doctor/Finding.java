// SPDX-License-Identifier: Apache-2.0
package io.fiber.cli.doctor;

import static java.util.Objects.requireNonNull;

import io.fiber.FiberException;
import io.fiber.spi.backend.BackendException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a check.
 *
 * @param level how serious it is
 * @param subject what was checked, in a word or two
 * @param code the code that {@code docs/errors.md} or the backend's documentation explains; the text contains it
 * @param text what was found
 * @param fix what to do; empty if there is nothing to do or the text says it
 */
public record Finding(Level level, String subject, Optional<String> code, String text, Optional<String> fix) {

    /** The beginning of Fiber's own codes. */
    private static final String OWN = "FBR-";

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
        requireNonNull(code, "code");
        requireNonNull(text, "text");
        requireNonNull(fix, "fix");
    }

    static Finding ok(String subject, String text) {
        return new Finding(Level.OK, subject, Optional.empty(), text, Optional.empty());
    }

    static Finding note(String subject, String text, String fix) {
        return new Finding(Level.NOTE, subject, Optional.empty(), text, Optional.of(fix));
    }

    static Finding note(String subject, String code, String text, String fix) {
        return new Finding(Level.NOTE, subject, Optional.of(code), code + " " + text, Optional.of(fix));
    }

    static Finding fault(String subject, String code, String text, String fix) {
        return new Finding(Level.FAULT, subject, Optional.of(code), code + " " + text, Optional.of(fix));
    }

    /** Returns a fault for an exception of a check: its message says what to do, and the page of errors says more. */
    static Finding thrown(String subject, FiberException failure) {
        return explained(subject, failure.code(), String.valueOf(failure.getMessage()));
    }

    /** Returns a fault for an exception of a backend. */
    static Finding thrown(String subject, BackendException failure) {
        return explained(subject, failure.code(), String.valueOf(failure.getMessage()));
    }

    /** Returns a fault whose text contains its code and says what to do. */
    static Finding explained(String subject, String code, String text) {
        String fix = code.startsWith(OWN)
                ? "see docs/errors.md, section " + code
                : "look up " + code + " in the documentation of the backend";
        return new Finding(Level.FAULT, subject, Optional.of(code), text, Optional.of(fix));
    }

    /** Returns the finding for programs to read. */
    public Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put("level", level.name().toLowerCase(java.util.Locale.ROOT));
        map.put("subject", subject);
        code.ifPresent(each -> map.put("code", each));
        map.put("text", text);
        fix.ifPresent(words -> map.put("fix", words));
        return map;
    }
}
