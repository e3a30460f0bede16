// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import io.fiber.runtime.protocol.Payload;
import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the records of one class have in common, on the reader's side. Components are found by name. Thread-safe. */
final class RecordForm implements FlatReader.Form {

    private static final Set<String> REPLACING = Set.of("writeReplace", "readResolve");

    private final Class<?> type;
    private final Constructor<?> constructor;
    private final RecordComponent[] components;
    /**
     * The components to which the written parts belong. Parts that this version of the class lacks go to a place after
     * the end.
     */
    private final int[] targets;

    private RecordForm(Class<?> type, Constructor<?> constructor, int[] targets) {
        this.type = type;
        this.constructor = constructor;
        this.components = type.getRecordComponents();
        this.targets = targets;
    }

    /** Returns the layout of records of a class; empty if not all their parts are plain. */
    static Optional<FlatWriter.Layout> layoutOf(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        long arrays = Stream.of(components)
                .filter(component -> FlatWriter.isPlainArray(component.getType()))
                .count();
        boolean flat = Serializable.class.isAssignableFrom(type)
                && !Externalizable.class.isAssignableFrom(type)
                && !type.getModule().isNamed()
                && arrays <= 1
                && Stream.of(components).allMatch(component -> FlatWriter.isPlain(component.getType()))
                && Stream.of(type.getDeclaredMethods()).noneMatch(method -> REPLACING.contains(method.getName()));
        return flat ? Optional.of(new Layout(type, components)) : Optional.empty();
    }

    private static final class Layout implements FlatWriter.Layout {
        private final byte[] head;
        private final Field[] fields;

        Layout(Class<?> type, RecordComponent[] components) {
            PayloadOutput out = new PayloadOutput();
            fields = new Field[components.length];
            out.writeText(type.getName());
            out.write(components.length);
            for (int i = 0; i < fields.length; i++) {
                out.writeText(components[i].getName());
                out.writeText(components[i].getType().descriptorString());
                fields[i] = field(type, components[i].getName());
            }
            head = out.toPayload().toArray();
        }

        private static Field field(Class<?> type, String name) {
            try {
                Field field = type.getDeclaredField(name);
                field.setAccessible(true);
                return field;
            } catch (NoSuchFieldException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public @Nullable Object[] partsOf(Object value) throws IllegalAccessException {
            @Nullable Object[] parts = new @Nullable Object[fields.length];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = fields[i].get(value);
            }
            return parts;
        }

        @Override
        public byte[] head() {
            return head;
        }
    }

    static RecordForm read(byte[] head, ClassLoader loader, FlatReader.Gate gate)
            throws IOException, ReflectiveOperationException {
        PayloadInput in = Payload.of(head).open();
        String name = in.readText();
        Class<?> type = Class.forName(name, false, loader);
        gate.check(type);
        if (!type.isRecord() || !Serializable.class.isAssignableFrom(type)) {
            throw new InvalidClassException(name, "a serializable record was written, but here the class is not one");
        }
        int[] targets = new int[in.readByte()];
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        for (int i = 0; i < targets.length; i++) {
            targets[i] = target(name, in.readText(), in.readText(), components);
        }
        if (in.remaining() != 0) {
            throw new InvalidClassException(name, "a record of this class has an unexpected form");
        }
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        if (!constructor.trySetAccessible()) {
            throw new InvalidClassException(
                    name, "the record is in a module that does not open its package to io.fiber");
        }
        return new RecordForm(type, constructor, targets);
    }

    private static int target(String name, String component, String descriptor, RecordComponent[] components)
            throws InvalidClassException {
        for (int i = 0; i < components.length; i++) {
            if (components[i].getName().equals(component)) {
                if (!components[i].getType().descriptorString().equals(descriptor)) {
                    throw new InvalidClassException(name, "incompatible types for field " + component);
                }
                return i;
            }
        }
        return components.length;
    }

    @Override
    public int parts() {
        return targets.length;
    }

    @Override
    public void check(FlatReader.Gate gate) throws IOException {
        gate.check(type);
    }

    @Override
    public Object make(@Nullable Object[] parts) throws IOException, ReflectiveOperationException {
        @Nullable Object[] arguments = new @Nullable Object[components.length];
        for (int i = 0; i < parts.length; i++) {
            if (targets[i] < arguments.length) {
                arguments[targets[i]] = parts[i];
            }
        }
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i] == null && components[i].getType().isPrimitive()) {
                arguments[i] = Array.get(Array.newInstance(components[i].getType(), 1), 0);
            }
        }
        try {
            return constructor.newInstance(arguments);
        } catch (IllegalArgumentException e) {
            throw new InvalidClassException(type.getName(), "a component is of another type than was announced");
        } catch (InvocationTargetException e) {
            InvalidObjectException invalid = new InvalidObjectException(String.valueOf(e.getCause()));
            invalid.initCause(e.getCause());
            throw invalid;
        }
    }
}
