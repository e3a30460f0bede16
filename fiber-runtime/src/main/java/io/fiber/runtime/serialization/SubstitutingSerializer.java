// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.spi.serializer.ObjectSerializer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A serializer that can replace each object that it meets. Thread-safe. */
interface SubstitutingSerializer extends ObjectSerializer {

    /** Returns replacements for objects that are written or read. */
    interface Substitution {
        @Nullable
        Object of(Object met);
    }

    void write(Object value, OutputStream out, Substitution substitution) throws IOException;

    @Nullable
    Object read(InputStream in, Substitution substitution) throws IOException, ClassNotFoundException;

    /** Returns whether objects of a class may be read. */
    boolean isReadable(Class<?> type);

    /** Returns the serializer with this substitution. */
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
