// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.protocol.PayloadInput;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects that a {@link FlatWriter} wrote, and remembers what objects of one class have in common. Thread-safe.
 */
final class FlatReader {

    /** The maximum number of remembered forms; after that, the reader forgets them all. */
    private static final int MOST_FORMS = 1_000;

    interface Form {
        int parts();

        /** Checks everything that must be allowed with the gate. */
        void check(Gate gate) throws IOException;

        @Nullable
        Object make(@Nullable Object[] parts) throws IOException, ReflectiveOperationException;
    }

    /**
     * Decides whether a class may be used. It is asked before a class is used, and before each object of the class is
     * created.
     */
    interface Gate {
        /** Throws an exception if the class is not allowed. */
        void check(Class<?> type) throws IOException;
    }

    @SuppressWarnings("ArrayRecordComponent") // compared by what is in it
    private record Head(int kind, byte[] bytes) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Head head && kind == head.kind && Arrays.equals(bytes, head.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    private record OneObject(Class<?> serialClass, long streamBytes) implements ObjectInputFilter.FilterInfo {
        @Override
        public long arrayLength() {
            return -1;
        }

        @Override
        public long depth() {
            return 1;
        }

        @Override
        public long references() {
            return 1;
        }
    }

    private final ClassLoader loader;
    private final Map<Head, Form> forms = new ConcurrentHashMap<>();

    FlatReader(ClassLoader loader) {
        this.loader = loader;
    }

    /** Returns whether such an object comes next. */
    static boolean isNext(PayloadInput in) {
        int first = in.peek();
        return first == FlatWriter.RECORD || first == FlatWriter.LAMBDA;
    }

    @Nullable
    Object read(PayloadInput in, ObjectInputFilter filter) throws IOException, ClassNotFoundException {
        long bytes = in.remaining();
        Gate gate = type -> filter.checkInput(new OneObject(type, bytes));
        Head head = new Head(in.readByte(), PrimitiveArrays.readBytes(in));
        try {
            Form form = form(head, gate);
            form.check(gate);
            @Nullable Object[] parts = new @Nullable Object[form.parts()];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = PlainValues.get(in.readByte(), in);
            }
            return form.make(parts);
        } catch (ClassNotFoundException e) {
            throw e;
        } catch (ReflectiveOperationException e) {
            throw new IOException(e);
        }
    }

    private Form form(Head head, Gate gate) throws IOException, ReflectiveOperationException {
        Form known = forms.get(head);
        if (known != null) {
            return known;
        }
        Form made = head.kind() == FlatWriter.RECORD
                ? RecordForm.read(head.bytes(), loader, gate)
                : LambdaForm.read(head.bytes(), loader, gate);
        if (forms.size() >= MOST_FORMS) {
            forms.clear();
        }
        forms.put(head, made);
        return made;
    }
}
