// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Named values of any types, in the process of a {@link Manager}. It travels as an address. Thread-safe; every method is
 * one call that waits for the host.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedNamespace {

    /**
     * Returns a value, as the type that the caller expects: {@code int x = namespace.get("x")}.
     *
     * @throws NoSuchElementException when there is none of this name
     * @throws ClassCastException at the caller's, when it is of another type
     */
    @SuppressWarnings("TypeParameterUnusedInFormals") // the caller knows what it has put in, and reads without a cast
    <T extends @Nullable Object> T get(String name);

    /** Sets a value, which must be serializable. */
    void set(String name, @Nullable Object value);

    /** Removes a value; returns whether there was one. */
    boolean remove(String name);

    /** Tells whether there is a value of this name. */
    boolean has(String name);

    /** Returns the names, in the order in which they came. */
    Set<String> names();
}
