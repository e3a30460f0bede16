// SPDX-License-Identifier: Apache-2.0
package io.fiber.runtime.serialization;

import static java.util.Objects.requireNonNull;

import io.fiber.runtime.protocol.PayloadInput;
import io.fiber.runtime.protocol.PayloadOutput;
import io.fiber.runtime.serialization.functions.CapturedGenerator;
import io.fiber.runtime.serialization.functions.RefusedInputException;
import io.fiber.runtime.serialization.functions.SerializedLambda;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.io.Serializable;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's serialization with a filter, without the stream header of four bytes. Objects of plain values take a
 * shorter way ({@link FlatWriter}), unless classes travel. Thread-safe.
 */
public final class JavaSerializer implements SubstitutingSerializer {

    private static final Map<String, Class<?>> PRIMITIVES = Map.of(
            "boolean", boolean.class,
            "byte", byte.class,
            "char", char.class,
            "double", double.class,
            "float", float.class,
            "int", int.class,
            "long", long.class,
            "short", short.class,
            "void", void.class);

    private static final String LAMBDA = java.lang.invoke.SerializedLambda.class.getName();

    private final ClassLoader loader;
    private final TypeFilter filter;
    private final FlatReader flat;

    public JavaSerializer(ClassLoader loader, TypeFilter filter) {
        this.loader = loader;
        this.filter = filter;
        this.flat = new FlatReader(loader);
    }

    @Override
    public void write(@Nullable Object value, OutputStream out) throws IOException {
        if (!(out instanceof PayloadOutput payload && FlatWriter.write(value, payload))) {
            new HeadlessOutput(out).writeWhole(value);
        }
    }

    @Override
    public @Nullable Object read(InputStream in) throws IOException, ClassNotFoundException {
        if (in instanceof PayloadInput payload && FlatReader.isNext(payload)) {
            return flat.read(payload, new ExplainingFilter(filter, payload.remaining()));
        }
        return read(in, loader);
    }

    @Override
    public void write(Object value, OutputStream out, Substitution substitution) throws IOException {
        new HeadlessOutput(out, substitution).writeWhole(value);
    }

    @Override
    public @Nullable Object read(InputStream in, Substitution substitution) throws IOException, ClassNotFoundException {
        return read(in, loader, substitution);
    }

    @Override
    public boolean isReadable(Class<?> type) {
        for (Class<?> at = type; at != null && Serializable.class.isAssignableFrom(at); at = at.getSuperclass()) {
            if (!filter.isAllowed(at)) {
                return false;
            }
        }
        return true;
    }

    @Nullable
    Object read(InputStream in, ClassLoader classes) throws IOException, ClassNotFoundException {
        return read(in, classes, null);
    }

    @Nullable
    Object read(InputStream in, ClassLoader classes, @Nullable Substitution substitution)
            throws IOException, ClassNotFoundException {
        long bytes = in instanceof PayloadInput payload ? payload.remaining() : Long.MAX_VALUE;
        ObjectInputStream objects = new LoadingInput(in, classes, substitution);
        objects.setObjectInputFilter(new ExplainingFilter(filter, bytes));
        return objects.readObject();
    }

    static class HeadlessOutput extends ObjectOutputStream {

        private final @Nullable Substitution substitution;
        private final List<Class<?>> unreadable = new ArrayList<>(0);

        HeadlessOutput(OutputStream out) throws IOException {
            this(out, null);
        }

        HeadlessOutput(OutputStream out, @Nullable Substitution substitution) throws IOException {
            super(out);
            this.substitution = substitution;
            enableReplaceObject(substitution != null);
        }

        @Override
        protected @Nullable Object replaceObject(Object met) {
            return requireNonNull(substitution).of(met);
        }

        final void writeWhole(@Nullable Object value) throws IOException {
            writeObject(value);
            flush();
            for (Class<?> type : unreadable) {
                ObjectPath.Node found = ObjectPath.findInstance(requireNonNull(value), type);
                if (found != null) {
                    throw new UnreadableClassException(
                            found, NoConstructor.of(type).orElseThrow());
                }
            }
        }

        /** The reader creates no instance of a class that is only referenced by name. */
        @Override
        protected void annotateClass(Class<?> type) throws IOException {
            CapturedGenerator.met(type);
            if (NoConstructor.of(type).isPresent()) {
                unreadable.add(type);
            }
        }

        @Override
        protected void writeStreamHeader() {}
    }

    private static final class LoadingInput extends ObjectInputStream {

        private final ClassLoader loader;
        private final @Nullable Substitution substitution;

        LoadingInput(InputStream in, ClassLoader loader, @Nullable Substitution substitution) throws IOException {
            super(in);
            this.loader = loader;
            this.substitution = substitution;
            enableResolveObject(substitution != null);
        }

        @Override
        protected @Nullable Object resolveObject(Object met) {
            return requireNonNull(substitution).of(met);
        }

        @Override
        protected void readStreamHeader() {}

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
            String name = description.getName();
            if (name.equals(LAMBDA)) {
                return SerializedLambda.class;
            }
            if (name.equals(Placeholder.NAME)) {
                return Placeholder.class;
            }
            Class<?> primitive = PRIMITIVES.get(name);
            return primitive != null ? primitive : Class.forName(name, false, loader);
        }

        /**
         * Returns the class of a proxy. As in the JDK, an interface that is not public ties the proxy to its own
         * loader.
         */
        @Override
        @SuppressWarnings("deprecation")
        protected Class<?> resolveProxyClass(String[] names) throws ClassNotFoundException {
            ClassLoader definer = loader;
            Class<?>[] interfaces = new Class<?>[names.length];
            for (int i = 0; i < names.length; i++) {
                interfaces[i] = Class.forName(names[i], false, loader);
                if (!Modifier.isPublic(interfaces[i].getModifiers())) {
                    definer = interfaces[i].getClassLoader();
                }
            }
            try {
                return Proxy.getProxyClass(definer, interfaces);
            } catch (IllegalArgumentException e) {
                throw new ClassNotFoundException("a proxy of " + String.join(", ", names), e);
            }
        }
    }

    /**
     * Asks the filter, keeps its reason, and rejects arrays that cannot be in the remaining bytes: every element takes
     * a byte, and collections request at most eight times as many slots as they have elements.
     */
    private static final class ExplainingFilter implements ObjectInputFilter {

        private static final int SLOTS_PER_BYTE = 8;
        private static final int FREE_SLOTS = 64;

        private final TypeFilter filter;
        private final long bytes;
        private long slots;

        ExplainingFilter(TypeFilter filter, long bytes) {
            this.filter = filter;
            this.bytes = bytes;
        }

        @Override
        public Status checkInput(FilterInfo info) {
            if (TypeFilter.isTooDeep(info)) {
                throw DeepStack.refusal();
            }
            String refusal = filter.refusal(info);
            if (refusal != null) {
                throw new RefusedInputException("FBR-204", refusal);
            }
            slots += Math.max(0, info.arrayLength() - FREE_SLOTS);
            if (slots / SLOTS_PER_BYTE > bytes) {
                throw new RefusedInputException(
                        "FBR-206",
                        "an array of " + info.arrayLength() + " elements is announced in a value of " + bytes
                                + " bytes. The value is damaged");
            }
            return Status.ALLOWED;
        }
    }
}
