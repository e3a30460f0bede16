// SPDX-License-Identifier: Apache-2.0
package io.fiber;

import java.io.Serializable;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set of named values of any types, in the process of a {@link Manager}. The handle travels as an address. Each
 * method is one call that waits for the manager's process. Thread-safe.
 *
 * @see Manager for the exceptions that every method throws
 */
public interface ManagedNamespace extends Serializable {

    /**
     * Returns a value, for example {@code int x = namespace.get("x", int.class)}.
     *
     * @param <T> a subtype of {@code type}, so that {@code List<String> names = namespace.get("names", List.class)}
     *     needs no cast. Only {@code type} is checked
     * @param type the type of the value; of a primitive type, the value is boxed
     * @return null if the value is null, unless the type is primitive
     * @throws NoSuchElementException if no value has this name
     * @throws ClassCastException if the value is of another type, or is null and the type is primitive
     */
    <T extends @Nullable Object> T get(String name, Class<? super T> type);

    /** Sets a value, which must be serializable. */
    void set(String name, @Nullable Object value);

    /** Removes a value, and returns whether there was one. */
    boolean remove(String name);

    /** Returns whether there is a value of this name. */
    boolean has(String name);

    /** Returns the names, in the order in which they were added. */
    Set<String> names();
}
