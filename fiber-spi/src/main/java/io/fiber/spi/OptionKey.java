// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

import static java.util.Objects.requireNonNull;

/**
 * One option that a provider understands. The full key is {@code fiber.<provider>.<name>} as a system property and
 * {@code FIBER_<PROVIDER>_<NAME>} in the environment, with {@code -} written as {@code _}.
 *
 * @param name the last part of the key, {@code [a-z][a-z0-9-]*}
 * @param type what a value must look like
 * @param defaultText what holds when nothing is set, in words for the documentation
 * @param description one sentence for the documentation, with the unit
 * @param visibility whether a value may be shown
 * @param scope what a value holds for
 */
public record OptionKey(
        String name, OptionType type, String defaultText, String description, Visibility visibility, Scope scope) {

    /** Whether the value of an option may appear in logs and descriptions. */
    public enum Visibility {
        /** The value may be shown. */
        PUBLIC,
        /** The value is masked wherever it would be shown. */
        SENSITIVE
    }

    /** What the value of an option holds for. */
    public enum Scope {
        /** A session and all of its jobs. */
        SESSION,
        /** A session, and for jobs that have a value of their own, that ({@code JobSpec.options()}). Of backends only. */
        JOB
    }

    public OptionKey {
        requireNonNull(type, "type");
        requireNonNull(defaultText, "defaultText");
        requireNonNull(description, "description");
        requireNonNull(visibility, "visibility");
        requireNonNull(scope, "scope");
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    "Option name '" + name + "' must match [a-z][a-z0-9-]*, for example 'port-range'.");
        }
    }

    /** Written out, because each process checks its options at its start, where a first regular expression takes 5 ms. */
    private static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean isAlphabetic = c >= 'a' && c <= 'z';
            if (!isAlphabetic && (i == 0 || (c != '-' && (c < '0' || c > '9')))) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    /** Returns a key whose value may be shown and holds for a session. */
    public static OptionKey of(String name, OptionType type, String defaultText, String description) {
        return new OptionKey(name, type, defaultText, description, Visibility.PUBLIC, Scope.SESSION);
    }

    /** Returns a copy of this key whose value is masked wherever it would be shown. */
    public OptionKey sensitive() {
        return new OptionKey(name, type, defaultText, description, Visibility.SENSITIVE, scope);
    }

    /** Returns a copy of this key of which jobs may have values of their own. */
    public OptionKey perJob() {
        return new OptionKey(name, type, defaultText, description, visibility, Scope.JOB);
    }
}
