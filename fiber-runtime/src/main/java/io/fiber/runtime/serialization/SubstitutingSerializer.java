// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A serializer that can put an object in the place of each one that it meets. Thread-safe. */
interface SubstitutingSerializer extends ObjectSerializer {

    /** Says what is written, or read, in the place of an object. */
    interface Substitution {
        @Nullable
        Object of(Object met);
    }

    void write(Object value, OutputStream out, Substitution substitution) throws IOException;

    @Nullable
    Object read(InputStream in, Substitution substitution) throws IOException, ClassNotFoundException;

    /** Returns whether the objects of a class may be read. */
    boolean isReadable(Class<?> type);

    /** Returns the serializer that substitutes in this way. */
    default ObjectSerializer with(Substitution substitution) {
        return new ObjectSerializer() {
            @Override
            public void write(@Nullable Object value, OutputStream out) throws IOException {
                SubstitutingSerializer.this.write(java.util.Objects.requireNonNull(value), out, substitution);
            }

            @Override
            public @Nullable Object read(InputStream in) throws IOException, ClassNotFoundException {
                return SubstitutingSerializer.this.read(in, substitution);
            }
        };
    }
}
