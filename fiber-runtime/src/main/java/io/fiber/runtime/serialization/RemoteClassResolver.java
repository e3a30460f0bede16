// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.io.IOException;
import java.util.Map;

/**
 * Tells a serializer about classes that the reader may lack. Thread-safe.
 *
 * <p>An edition is a set of classes by name, as they are at one time; a redefined class is in another edition. Its
 * number, from 1, is written before the value that needs it.
 */
public interface RemoteClassResolver {

    /** No class from elsewhere is needed. */
    int NO_EDITION = 0;

    /** Returns whether the reader may have to be sent this class. */
    boolean isRemote(Class<?> type);

    /** Returns the edition that contains these classes. The keys are class names. */
    int editionOf(Map<String, Class<?>> remoteTypes);

    /**
     * Returns the loader of the classes of an edition.
     *
     * @throws IOException if there is no such edition
     */
    ClassLoader loaderOf(int edition) throws IOException;

    /** Called before a function is written. Classes that were redefined since the last call start another edition. */
    default void refresh() {}
}
