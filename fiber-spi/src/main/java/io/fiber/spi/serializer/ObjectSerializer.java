// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.serializer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects to bytes and back. Thread-safe: many threads use one serializer at the same time.
 *
 * @implSpec Functions must work too, that is, lambdas and method references of serializable interfaces with their
 *     captured values. One call of {@link #read} reads exactly what one call of {@link #write} wrote, and leaves the
 *     rest of the stream.
 */
public interface ObjectSerializer {

    /**
     * Writes one object graph.
     *
     * @throws java.io.NotSerializableException if a class cannot be written; names the class and, if known, where in
     *     the graph it was found
     * @throws IOException if {@code out} fails
     */
    void write(@Nullable Object value, OutputStream out) throws IOException;

    /**
     * Reads one object graph.
     *
     * @throws ClassNotFoundException if a class is missing here
     * @throws java.io.InvalidClassException if a class differs or is not allowed
     * @throws IOException if {@link #write} did not write these bytes
     */
    @Nullable
    Object read(InputStream in) throws IOException, ClassNotFoundException;
}
