// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

import static java.util.Objects.requireNonNull;

/**
 * An option that a provider understands. The full key is {@code fiber.<provider>.<name>} as a system property and
 * {@code FIBER_<PROVIDER>_<NAME>} in the environment, with {@code -} written as {@code _}.
 *
 * @param name the last part of the key, {@code [a-z][a-z0-9-]*}
 * @param type which values are valid
 * @param defaultText the default, described for the documentation
 * @param description one sentence for the documentation, with the unit
 * @param visibility whether a value may be shown
 * @param scope whether jobs may have their own values
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

    /** Where the value of an option applies. */
    public enum Scope {
        /** To a session and all of its jobs. */
        SESSION,
        /**
         * To a session, and to its jobs unless they have their own value ({@code JobSpec.options()}). Only for options
         * of backends.
         */
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

    /**
     * Checked by hand, because each process checks its options when it starts, and a first regular expression takes 5
     * ms.
     */
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

    /** Returns a key whose value may be shown and applies to a session. */
    public static OptionKey of(String name, OptionType type, String defaultText, String description) {
        return new OptionKey(name, type, defaultText, description, Visibility.PUBLIC, Scope.SESSION);
    }

    /** Returns a copy of this key whose value is masked wherever it would be shown. */
    public OptionKey sensitive() {
        return new OptionKey(name, type, defaultText, description, Visibility.SENSITIVE, scope);
    }

    /** Returns a copy of this key for which jobs may have their own values. */
    public OptionKey perJob() {
        return new OptionKey(name, type, defaultText, description, visibility, Scope.JOB);
    }
}
