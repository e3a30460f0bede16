// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set of named values of any types, in the process of a {@link Manager}. The handle travels as an address. Each
 * method is one call that waits for the manager's process. Thread-safe.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedNamespace {

    /**
     * Returns a value as the type that the caller expects: {@code int x = namespace.get("x")}.
     *
     * @throws NoSuchElementException if no value has this name
     * @throws ClassCastException in the caller, if the value is of another type
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // callers know which type they stored, and need no cast
    <T extends @Nullable Object> T get(String name);

    /** Sets a value, which must be serializable. */
    void set(String name, @Nullable Object value);

    /** Removes a value, and returns whether there was one. */
    boolean remove(String name);

    /** Returns whether there is a value of this name. */
    boolean has(String name);

    /** Returns the names, in the order in which they were added. */
    Set<String> names();
}
