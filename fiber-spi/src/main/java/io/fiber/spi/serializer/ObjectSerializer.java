// SPDX-License-Identifier: Apache-2.0
package io.fiber.spi.serializer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Turns objects into bytes and back. Thread-safe: many threads use one serializer at the same time.
 *
 * @implSpec Functions must travel too: lambdas and method references of serializable interfaces, with what they captured.
 *     What one call of {@link #write} wrote, one call of {@link #read} reads exactly, leaving what follows in the stream.
 */
public interface ObjectSerializer {

    /**
     * Writes one object graph.
     *
     * @throws java.io.NotSerializableException naming the class that cannot be written, and where in the graph it was
     *     met when that is known
     * @throws IOException when {@code out} refuses the bytes
     */
    void write(@Nullable Object value, OutputStream out) throws IOException;

    /**
     * Reads one object graph.
     *
     * @throws ClassNotFoundException when a class is missing here
     * @throws java.io.InvalidClassException when a class differs or is not allowed
     * @throws IOException when the bytes are not what {@link #write} wrote
     */
    @Nullable
    Object read(InputStream in) throws IOException, ClassNotFoundException;
}
