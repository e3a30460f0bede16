// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The environment variables and system properties that a provider sees. They are a parameter so that a test can set
 * them. Never blocks. Thread-safe.
 */
public interface Environment {

    /** Returns the value of an environment variable; empty if it is not set or set to the empty string. */
    Optional<String> variable(String name);

    /** Returns whether an environment variable is set, even to the empty string. */
    default boolean isSet(String variable) {
        return variable(variable).isPresent();
    }

    /** Returns the value of a system property; empty if it is not set or set to the empty string. */
    Optional<String> property(String name);

    /** Returns the environment of this process. */
    static Environment system() {
        return new Environment() {
            @Override
            public Optional<String> variable(String name) {
                return unlessEmpty(System.getenv(name));
            }

            @Override
            public boolean isSet(String variable) {
                return System.getenv(variable) != null;
            }

            @Override
            public Optional<String> property(String name) {
                return unlessEmpty(System.getProperty(name));
            }
        };
    }

    /** Returns an environment with exactly these variables and properties. */
    static Environment of(Map<String, String> variables, Map<String, String> properties) {
        Map<String, String> variablesCopy = Map.copyOf(variables);
        Map<String, String> propertiesCopy = Map.copyOf(properties);
        return new Environment() {
            @Override
            public Optional<String> variable(String name) {
                return unlessEmpty(variablesCopy.get(name));
            }

            @Override
            public boolean isSet(String variable) {
                return variablesCopy.containsKey(variable);
            }

            @Override
            public Optional<String> property(String name) {
                return unlessEmpty(propertiesCopy.get(name));
            }
        };
    }

    private static Optional<String> unlessEmpty(@Nullable String value) {
        return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
    }
}
