// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import java.io.IOException;
import java.util.Map;

/**
 * What a serializer asks about classes that the reader may lack. Thread-safe.
 *
 * <p>An edition is a set of classes by name, as they are at one time: a class that was redefined is in another one. Its
 * number, from 1, is written in front of what needs it.
 */
public interface RemoteClassResolver {

    /** Nothing that was written needs a class from elsewhere. */
    int NO_EDITION = 0;

    /** Returns whether the reader may have to be sent this class. */
    boolean isRemote(Class<?> type);

    /** Returns the edition that contains these classes. The keys are the names of the classes. */
    int editionOf(Map<String, Class<?>> remoteTypes);

    /**
     * Returns the loader that knows the classes of an edition.
     *
     * @throws IOException if there is no such edition
     */
    ClassLoader loaderOf(int edition) throws IOException;

    /** A function is about to be written: classes that have been redefined since the last one begin another edition. */
    default void refresh() {}
}
